"""Turns results JSON and clips into a static benchmark site."""
