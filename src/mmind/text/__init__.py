"""What does a text say (words, passages, front matter, claims), may it be kept, how is it shown? No disk, no clock."""
