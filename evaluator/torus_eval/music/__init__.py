"""Music from a text: read how it is played, write a score, and let a soundfont player sound it."""
