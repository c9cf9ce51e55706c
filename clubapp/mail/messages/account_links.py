"""Links in mails about an account, which act once they are confirmed on their page (S14; decision 0004)."""

from clubapp import routes, tokens
from clubapp.settings import settings

NOT_ME = "not-me"
CANCEL_CHANGE = "cancel-email-change"
UNDO_CHANGE = "undo-email-change"
PURPOSES = (NOT_ME, CANCEL_CHANGE, UNDO_CHANGE)


def build_link(purpose: str, identifier: str) -> str:
    """The address of a link, about the row of an identifier."""
    token = f"{identifier}.{tokens.derive(purpose, identifier)}"
    return f"{settings().public_url}{routes.ACCOUNT_LINK}?acte={purpose}&token={token}"


def read_link(purpose: str, token: str) -> str | None:
    """The identifier of a link's token; None unless a key of ours made it for this purpose."""
    identifier, _, secret = token.partition(".")
    is_ours = purpose in PURPOSES and tokens.rebuild(purpose, identifier, tokens.fingerprint(secret)) is not None
    return identifier if is_ours else None
