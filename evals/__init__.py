"""Is the ranking right? Labelled cases, graded against the ranking that the router replaced and a recorded baseline."""
