"""What a benchmark is: its descriptor and its items, all of it data."""
