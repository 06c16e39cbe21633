"""Questions as a system is asked them, answers as they are read, and the floors every system is held to."""
