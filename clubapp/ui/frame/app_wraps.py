"""What surrounds every screen: links of the head, offline banner, the page shown when rendering fails."""

from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex_base.components.memo import memo
from reflex_components_core.base.error_boundary import ErrorBoundary
from reflex_components_core.core.banner import has_connection_errors

from clubapp.ui.kit.links import external_link
from clubapp.ui.react.frame.offline_notice import offline_notice
from clubapp.ui.react.overlays.live_region import live_region

BLOCKED = (
    "WebSocket est bloqué sur votre réseau\u00a0: cet écran ne peut pas joindre {address}, port {port}. Demandez à "
    "votre service informatique de l’autoriser (pare-feu, proxy, antivirus), ou passez par un autre réseau, comme "
    "celui de votre téléphone."
)
FULL = (
    "Trop de connexions depuis votre réseau\u00a0: fermez les onglets de ce site dont vous n’avez plus besoin, ici et "
    "sur les autres appareils. Cet écran se connectera ensuite de lui-même."
)
MISSED = (
    "Le réseau manque\u00a0: cet écran n’a pas pu s’ouvrir. Vous restez ici, avec vos saisies\u00a0; recommencez quand "
    "la connexion sera revenue."
)
AppWraps = dict[tuple[int, str], Callable[[bool], rx.Component | None]]


def app_wraps() -> AppWraps:
    """For `rx.App(app_wraps=...)`: error page and offline banner in French, in place of those of Reflex."""
    return {
        (55, "ErrorBoundary"): _error_boundary,
        (5, "Overlay"): lambda stateful: offline_banner() if stateful else None,
    }


def head_links() -> list[rx.Component]:
    """For `rx.App(head_components=...)`: icons, manifest and theme colour."""
    return [
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/apple-touch-icon.png"),
        rx.el.link(rel="manifest", href="/site.webmanifest"),
        rx.el.meta(name="theme-color", content="#1b2430"),
    ]


def offline_banner() -> rx.Component:
    """Shown while the connection is lost: what was typed stays on the screen, and the browser tries again."""

    def connection_notice() -> rx.Component:
        text = "Connexion interrompue. Vos saisies restent sur cet écran\u00a0; nouvelle tentative en cours…"
        notice = rx.el.p(text, class_name="offline-banner")
        causes = {"broken": has_connection_errors, "connected": rx.State.is_hydrated}
        shown = rx.el.div(offline_notice(notice, blocked=BLOCKED, full=FULL, missed=MISSED, **causes))
        return live_region(shown, roles=["status"], class_name="offline")

    return rx.fragment(memo(connection_notice)())


def _error_boundary(stateful: bool) -> rx.Component:
    silent: dict[str, Any] = {} if stateful else {"on_error": rx.noop()}
    return ErrorBoundary.create(fallback_render=rx.Var.create(_broken_page()), **silent)


def _broken_page() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Cette page s’est interrompue"),
        rx.el.p("Un incident nous a été signalé. Rechargez la page\u00a0; si cela se répète, revenez à l’accueil."),
        rx.el.div(
            external_link("Recharger la page", "", class_name="button button-primary"),
            external_link("Retour à l’accueil", "/", class_name="button button-secondary"),
            class_name="placeholder-actions",
        ),
        class_name="broken-page",
    )
