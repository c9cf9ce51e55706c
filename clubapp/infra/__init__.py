"""What lies below the rules: logs, error reports, the store of pictures, the state of jobs."""
