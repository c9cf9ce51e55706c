"""The layouts of screens: public, administration, member area, and the bare one of the answer page."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.services.public_site import club_presentation
from clubapp.ui.access.proof_dialog import proof_dialog
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.mail_pause_banner import mail_pause_banner
from clubapp.ui.frame.session_panel import session_panel
from clubapp.ui.frame.toasts import toasts
from clubapp.ui.kit.image import image
from clubapp.ui.kit.links import external_link, nav_link, page_link, skip_link
from clubapp.ui.kit.text import Text, show_if
from clubapp.ui.react.frame.menu import collapsible_menu
from clubapp.ui.react.frame.route_focus import route_focus
from clubapp.web.documents.html_shell import CONTENT_ID

# The sections of the landing page that menus lead to.
CLUB_SECTION = "club"
ACTIVITIES_SECTION = "activites"
CONTACT_SECTION = "contact"

_PUBLIC_MENU = (
    ("Le club", f"{routes.HOME}#{CLUB_SECTION}"),
    ("Activités", f"{routes.HOME}#{ACTIVITIES_SECTION}"),
    ("Les membres", routes.DIRECTORY),
    ("Contact", f"{routes.HOME}#{CONTACT_SECTION}"),
)
_ADMIN_MENU = (
    ("Aujourd’hui", routes.ADMIN_TODAY, ()),
    ("Membres", routes.ADMIN, (routes.ADMIN_MEMBERS,)),
    ("Entreprises", routes.ADMIN_COMPANIES, ()),
    ("Événements", routes.ADMIN_EVENTS, ()),
    ("Emails", routes.ADMIN_EMAILS, ()),
    ("Relances", routes.ADMIN_REMINDERS, ()),
    ("Envois", routes.ADMIN_JOURNAL, (routes.ADMIN_PLANNED,)),
    ("Administrateurs", routes.ADMIN_ADMINISTRATORS, ()),
    ("Santé", routes.ADMIN_HEALTH, ()),
    ("Journal des actes", routes.ADMIN_ACTS, ()),
)
_MEMBER_MENU = (
    ("Mon profil", routes.MEMBER, ()),
    ("Mon entreprise", routes.MEMBER_COMPANY, ()),
    ("Mes invitations", routes.MEMBER_INVITATIONS, ()),
    ("Mes données", routes.MEMBER_DATA, ()),
)
Menu = Sequence[tuple[str, str, tuple[str, ...]]]


def public_layout(*content: Any, on_arrive: Any = ()) -> rx.Component:
    """The site's header and footer around a public screen. `on_arrive` is explained in `RouteFocus`."""
    more = [
        show_if(ClubState.club.linkedin_url != "", external_link("LinkedIn", ClubState.club.linkedin_url)),
        page_link("Contact", to=f"{routes.HOME}#{CONTACT_SECTION}"),
    ]
    return _frame(_public_header(), _main(*content), _footer(*more), on_arrive=on_arrive, class_name="public")


def bare_layout(*content: Any, on_arrive: Any = ()) -> rx.Component:
    """A header with emblem and name only, for screens with a single task."""
    header = rx.el.header(rx.el.div(brand(), class_name="wrap"), class_name="site-header site-header-bare")
    return _frame(header, _main(*content), _footer(), on_arrive=on_arrive, class_name="bare")


def admin_layout(*content: Any, **props: Any) -> rx.Component:
    """The administration: its menu at the side, the title and the screen's actions above the content."""
    panel = session_panel(routes.ADMIN_SESSIONS, ("Mon espace membre", routes.MEMBER))
    return _workspace("Administration", _ADMIN_MENU, panel, mail_pause_banner(), *content, **props)


def member_layout(*content: Any, **props: Any) -> rx.Component:
    """The member area, laid out like the administration."""
    panel = session_panel(routes.MEMBER_SESSIONS, ("Administration", routes.ADMIN))
    return _workspace("Espace Membre", _MEMBER_MENU, panel, *content, **props)


def brand() -> rx.Component:
    """The emblem and the club's name, as a link to the landing page."""
    return page_link(
        emblem(),
        rx.el.span(ClubState.club.name, class_name="brand-name"),
        to=routes.HOME,
        # The accessible name of the link until the club's name is loaded.
        aria_label=rx.cond(ClubState.club.name == "", "Accueil", rx.Var("undefined")),
        class_name="brand",
    )


def emblem() -> rx.Component:
    """The club's emblem, without alternative text: the club's name always stands beside it."""
    return image(club_presentation.EMBLEM, "", 28, 40, class_name="emblem")


def _frame(*parts: Any, on_arrive: Any, class_name: str) -> rx.Component:
    return rx.el.div(
        skip_link("Aller au contenu", CONTENT_ID),
        *parts,
        toasts(),
        route_focus(on_arrive=on_arrive) if on_arrive else route_focus(),
        class_name=f"frame frame-{class_name}",
    )


def _main(*content: Any) -> rx.Component:
    return rx.el.main(*content, id=CONTENT_ID, tab_index=-1, class_name="main")


def _public_header() -> rx.Component:
    menu = rx.el.nav(
        *[nav_link(text, to, class_name="site-link") for text, to in _PUBLIC_MENU],
        # A full page load, because only the document of that screen links the styles of forms.
        external_link("Connexion", routes.SIGN_IN, class_name="button button-outline"),
        aria_label="Menu principal",
        class_name="site-menu",
    )
    return rx.el.header(
        rx.el.div(brand(), collapsible_menu(menu, class_name="fold"), class_name="wrap"), class_name="site-header"
    )


def _footer(*more: rx.Component) -> rx.Component:
    """Whose site it is, and the legal links, after `more`."""
    links = rx.el.nav(
        *more,
        page_link("Mentions légales", to=routes.LEGAL),
        page_link("Confidentialité", to=routes.PRIVACY),
        aria_label="Pied de page",
        class_name="footer-links",
    )
    owner = rx.el.p(ClubState.club.copyright, class_name="footer-owner")
    return rx.el.footer(rx.el.div(owner, links, class_name="wrap"), class_name="site-footer")


def _workspace(
    area: str,
    menu: Menu,
    panel: rx.Component,
    *content: Any,
    title: Text,
    hint: Text | rx.Component = "",
    heading: rx.Component | None = None,
    actions: Sequence[rx.Component] = (),
    on_arrive: Any = (),
) -> rx.Component:
    main = screen_main(*content, title=title, hint=hint, heading=heading, actions=actions)
    parts = (_sidebar(area, menu, panel), main, _footer(), proof_dialog())
    return _frame(*parts, on_arrive=on_arrive, class_name="workspace")


def screen_main(
    *content: Any,
    title: Text,
    hint: Text | rx.Component = "",
    heading: rx.Component | None = None,
    actions: Sequence[rx.Component] = (),
) -> rx.Component:
    """The main part of a screen of either area: title and actions, then the content.

    A `heading` of the screen's own, which holds its h1, stands in the place of title and hint.
    """
    heading = heading or rx.el.div(
        rx.el.h1(title, tab_index=-1, class_name="screen-title"),
        # A hint that is loaded later keeps its line, so that nothing below moves.
        rx.el.p(hint, class_name="screen-hint") if isinstance(hint, rx.Var) or hint else rx.fragment(),
    )
    tools = [rx.el.div(*actions, class_name="screen-actions")] if actions else []
    # No header element: in the first paint, whose main part is a div, it would be a second banner.
    header = rx.el.div(heading, *tools, class_name="screen-header")
    return _main(header, *content)


def _sidebar(area: str, menu: Menu, panel: rx.Component) -> rx.Component:
    links = rx.el.nav(
        *[nav_link(text, to, also, class_name="sidebar-link") for text, to, also in menu],
        aria_label=area,
        class_name="sidebar-menu",
    )
    home = page_link(emblem(), rx.el.span(area, class_name="brand-name"), to=menu[0][1], class_name="brand")
    return rx.el.header(home, collapsible_menu(links, panel, class_name="fold"), class_name="sidebar")
