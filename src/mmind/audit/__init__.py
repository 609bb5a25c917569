"""What happened here, and can it be shown that nobody edited the record? One hash chain over all processes."""
