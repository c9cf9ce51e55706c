"""Who answered what to an event, as the parts of a bar."""

from dataclasses import dataclass

YES, NO, WAITING, SILENT = "yes", "no", "waiting", "silent"


@dataclass(frozen=True)
class AnswerShare:
    """A part of the bar of answers, as wide as its count."""

    kind: str
    label: str
    count: int


def share_answers(yes: int, no: int, waiting: int, silent: int) -> tuple[AnswerShare, ...]:
    """The parts in their order; one that nobody is in is left out."""
    counts = (
        (YES, "oui", yes),
        (NO, "non", no),
        (WAITING, "en liste d’attente", waiting),
        (SILENT, "sans réponse", silent),
    )
    return tuple(AnswerShare(kind, label, count) for kind, label, count in counts if count)
