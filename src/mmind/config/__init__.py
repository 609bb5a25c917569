"""What can be set, and who goes by it? One table of knobs, the settings and the file made of it, servers' notes."""
