"""The addresses of second factors, and of the links in mails about the access to an account."""
