"""The form of the answer page, posted over a connection of one's own."""

import http.client
from urllib.parse import urlencode

from clubapp import routes

TYPE = {"Content-Type": "application/x-www-form-urlencoded"}


def post_answer(
    connection: http.client.HTTPConnection, event_id: str, token: str, **said: str
) -> http.client.HTTPResponse:
    """Post one step over a connection that is kept; the answer's body is read already."""
    connection.request("POST", f"{routes.answer(event_id)}/answer", urlencode({"token": token, **said}), TYPE)
    answer = connection.getresponse()
    answer.read()
    return answer
