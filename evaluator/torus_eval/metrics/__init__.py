"""Objective metrics over clips: pure functions, and what a benchmark's descriptor asks of them."""
