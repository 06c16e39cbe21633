"""A listener that measures: from a clip to evidence, from evidence to an option or a caption."""
