"""The weights that run offline: which there are, how they are brought, and where they are kept."""
