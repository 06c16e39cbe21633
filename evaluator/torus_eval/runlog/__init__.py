"""The run directory: what was asked for, every call's record, and the clips."""
