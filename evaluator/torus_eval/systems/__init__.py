"""Systems: what they can do, the files that describe them, and how a file becomes a running system."""
