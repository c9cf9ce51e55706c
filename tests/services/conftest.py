"""Services whose mail is followed to a real SMTP server."""

from tests.mail.conftest import relay

__all__ = ["relay"]
