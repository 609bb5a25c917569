"""How is a file locked between processes, written whole, kept to its owner; who installed mmind? Knows no memories."""
