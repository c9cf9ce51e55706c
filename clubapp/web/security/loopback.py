"""Whether a request comes from this machine itself, and not through a proxy on it."""

from starlette.requests import HTTPConnection

from clubapp.settings import LOOPBACK

_PROXIED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


def is_local(connection: HTTPConnection) -> bool:
    """Whether the client is on the loopback, not behind a proxy, and uses a local host name."""
    on_loopback = connection.client is not None and connection.client.host in LOOPBACK
    named_locally = connection.url.hostname in LOOPBACK
    return on_loopback and named_locally and not any(header in connection.headers for header in _PROXIED)
