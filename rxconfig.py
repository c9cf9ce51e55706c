"""Reflex's configuration. Nothing of one installation is in it: settings are read at run time."""

import reflex as rx

from clubapp.settings import settings

config = rx.Config(
    app_name="clubapp",
    # Replaced after the build by the page's own origin, see clubapp/frontend.py.
    api_url="http://localhost:3000",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="light",
    frontend_compression_formats=["brotli", "gzip"],
    frontend_lazy_bundled_libraries=True,
    disable_plugins=[rx.plugins.SitemapPlugin],
    cors_allowed_origins=list(settings().origins),
    redis_url=settings().redis_url or None,
    state_manager_mode=rx.constants.StateManagerMode.REDIS if settings().redis_url else rx.constants.StateManagerMode.MEMORY,
)
