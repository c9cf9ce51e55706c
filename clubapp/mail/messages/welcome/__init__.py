"""The mail to who was entered by somebody else."""
