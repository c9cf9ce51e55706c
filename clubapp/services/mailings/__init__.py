"""Mails that administrators write: broadcasts, event templates, signature, previews, test mails."""
