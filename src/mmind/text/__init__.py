"""What does a text say: its words, passages, front matter, tags, links and claims; pure, no disk, no clock."""
