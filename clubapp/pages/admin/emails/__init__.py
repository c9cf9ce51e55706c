"""The e-mails screen."""
