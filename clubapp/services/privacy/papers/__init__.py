"""The papers that data protection asks of a club, filled from its settings: to read again, complete and sign (P7)."""

from clubapp.services.privacy.papers.files import make_archive, write_papers
from clubapp.services.privacy.papers.texts import make_papers

__all__ = ["make_archive", "make_papers", "write_papers"]
