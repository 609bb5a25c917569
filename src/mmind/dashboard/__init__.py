"""How does a person watch the stores and tune the ranking in a terminal? Textual is imported here and nowhere else."""
