"""From records and descriptors to what a template shows."""
