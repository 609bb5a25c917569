"""Which vector stands for this text? Local model, OpenAI, or nobody: `choose.open_embedder` decides."""
