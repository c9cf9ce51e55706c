"""What screens of both areas show of the access to an account: second factors, and the proof before lasting acts."""
