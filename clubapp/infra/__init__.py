"""Technical services below the rules: logs, error reports, store of pictures, state of jobs, rate limits."""
