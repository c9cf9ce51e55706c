"""Whether the public address passes websockets on, as browsers open them."""

import base64
import http.client
import secrets
from urllib.parse import urlsplit

from clubapp import routes
from clubapp.doctor.check import CheckProblem, Level
from clubapp.settings import Settings

_PATIENCE_SECONDS = 5
_MEND = (
    "le proxy doit passer l’en-tête Upgrade\u00a0: nginx «\u00a0proxy_http_version 1.1\u00a0», «\u00a0proxy_set_header "
    'Upgrade $http_upgrade\u00a0» et «\u00a0Connection "upgrade"\u00a0»\u00a0; Apache «\u00a0ProxyPass … '
    "upgrade=websocket\u00a0»\u00a0; HAProxy «\u00a0timeout tunnel\u00a0»"
)


def check_websocket(chosen: Settings) -> str:
    """What became of a handshake at the public address.

    Raises:
        CheckProblem: when the site answers there but its websocket does not; a warning when a public site does not.
    """
    if _status(chosen, routes.HEALTH) != http.client.OK:
        told = f"pas essayé\u00a0: le site ne répond pas à {chosen.public_url}"
        if chosen.is_public:
            raise CheckProblem(told, "lancez-le, ou voyez ce que dit le proxy dans ses journaux", Level.WARNING)
        return told
    status = _status(
        chosen,
        f"{routes.SOCKET}/?EIO=4&transport=websocket&token=doctor",
        Connection="Upgrade",
        Upgrade="websocket",
        Origin=chosen.public_url,
        **{"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": base64.b64encode(secrets.token_bytes(16)).decode()},
    )
    if status != http.client.SWITCHING_PROTOCOLS:
        told = f"réponse {status}" if status else "aucune réponse"
        raise CheckProblem(f"WebSocket bloqué à l’adresse {chosen.public_url} ({told})", _MEND)
    return f"ouvert à l’adresse {chosen.public_url}"


def _status(chosen: Settings, path: str, **headers: str) -> int:
    """The status of an answer of the public address; 0 for none."""
    address = urlsplit(chosen.public_url)
    make = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = make(address.hostname or "", address.port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
