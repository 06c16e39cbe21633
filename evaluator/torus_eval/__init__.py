"""Runs audio models through a benchmark and writes what the site shows."""
