"""Reflex's configuration. Nothing of one installation is in it: settings are read at run time."""

import reflex as rx

from clubapp.settings import settings

_redis_url = settings().redis_url
_managers = rx.constants.StateManagerMode

config = rx.Config(
    app_name="clubapp",
    # Replaced after the build by the page's own origin, see clubapp/frontend_build.py.
    api_url="http://localhost:3000",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="light",
    frontend_compression_formats=["brotli", "gzip"],
    frontend_lazy_bundled_libraries=True,
    disable_plugins=[rx.plugins.SitemapPlugin],
    cors_allowed_origins=list(settings().origins),
    redis_url=_redis_url or None,
    # In milliseconds: how long one press may keep its tab's state. Beyond it the change stands, but its screen says no.
    redis_lock_expiration=60_000,
    redis_lock_warning_threshold=10_000,
    state_manager_mode=_managers.REDIS if _redis_url else _managers.MEMORY,
)
