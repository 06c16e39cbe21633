"""Editing by signal processing: read an instruction, then change the sound."""
