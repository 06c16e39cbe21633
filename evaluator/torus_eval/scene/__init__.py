"""The procedural scene renderer: a lexicon of sounds, a grammar for prompts, and synthesis in numpy."""
