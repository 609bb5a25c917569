"""How is a file locked between processes, written whole, and kept to its owner? Knows paths and nothing of memories."""
