"""Refusals a person can meet: typed, with the French sentence they are shown."""


class Refusal(Exception):
    """An action refused for a reason that the person can understand and correct.

    `text` is the French sentence to show; `field` is the name of the form field it concerns, if any.
    """

    def __init__(self, text: str, *, field: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.field = field


class Forbidden(Refusal):
    """The actor may not do this."""

    def __init__(self, text: str = "Vous n’avez pas accès à cette action.") -> None:
        super().__init__(text)


class ProofRequired(Forbidden):
    """The actor may do this once they have proved anew who they are (S13)."""

    def __init__(self) -> None:
        super().__init__("Confirmez d’abord que c’est bien vous\u00a0: cette action demande une preuve récente.")


class NotFound(Refusal):
    """What the action is about does not exist, or no longer does."""

    def __init__(self, text: str = "Cet élément n’existe plus. Rechargez la page.") -> None:
        super().__init__(text)


class Invalid(Refusal):
    """A value breaks the rule of its field."""


class TooHeavy(Invalid):
    """A file is larger than allowed."""


class Conflict(Refusal):
    """The action conflicts with what is stored."""


class TooMany(Refusal):
    """Too many attempts; `retry_after` is in seconds."""

    def __init__(self, text: str, *, retry_after: int) -> None:
        super().__init__(text)
        self.retry_after = retry_after
