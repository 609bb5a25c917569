"""A page to look at, on this machine only: search, conflicts side by side, the audit trail and the stores."""
