"""Refusals a person can meet: typed, with the French sentence they are shown."""


class Refusal(Exception):
    """An act that was refused for a reason the person can understand and mend.

    `text` is the French sentence to show; `field` names the form field it concerns, if any.
    """

    def __init__(self, text: str, *, field: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.field = field


class Forbidden(Refusal):
    """The actor may not do this."""

    def __init__(self, text: str = "Vous n'avez pas accès à cette action.") -> None:
        super().__init__(text)


class NotFound(Refusal):
    """What the act is about does not exist, or no longer does."""

    def __init__(self, text: str = "Cet élément n'existe plus. Rechargez la page.") -> None:
        super().__init__(text)


class Invalid(Refusal):
    """A value breaks the rule of its field."""


class TooHeavy(Invalid):
    """A file has more bytes than may be sent."""


class Conflict(Refusal):
    """The act collides with what is already there."""


class TooMany(Refusal):
    """Too many attempts; `retry_after` is in seconds."""

    def __init__(self, text: str, *, retry_after: int) -> None:
        super().__init__(text)
        self.retry_after = retry_after
