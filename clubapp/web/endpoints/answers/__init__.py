"""What the links in mails about an answer lead to."""
