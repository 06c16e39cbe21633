"""Results JSON: its models, how it is read and how it is written."""
