"""From a letter to the relay: MIME, SMTP, one pass of delivery."""
