"""The same application whose documents hold no content: what the first paint is measured against."""

from clubapp.web.documents import routes

routes.first_paint = lambda *_names, **_given: ""

from clubapp.clubapp import app  # noqa: E402 - the patch comes first

__all__ = ["app"]
