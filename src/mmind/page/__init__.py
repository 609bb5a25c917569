"""How does a person see it in a browser? One page on this machine alone: search, conflicts, audit trail, stores."""
