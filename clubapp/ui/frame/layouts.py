"""The layouts of screens: public, administration, member area, and the bare one of the answer page."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.ui.access.proof_dialog import proof_dialog
from clubapp.ui.frame.admin_menu import AREA, Entry, admin_sidebar, shortcuts
from clubapp.ui.frame.brand import brand, emblem
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.mail_pause_banner import mail_pause_banner
from clubapp.ui.frame.session_panel import session_panel
from clubapp.ui.frame.toasts import toasts
from clubapp.ui.frame.top_bar import top_bar
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.links import external_link, nav_link, page_link, skip_link
from clubapp.ui.kit.text import Text, show_if
from clubapp.ui.react.frame.menu import collapsible_menu
from clubapp.ui.react.frame.menu_link import menu_link
from clubapp.ui.react.frame.route_focus import route_focus
from clubapp.ui.react.frame.takeover import takeover
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
_MEMBER_MENU = (
    Entry("Mes rencontres", routes.MEMBER_MEETINGS, "calendar"),
    Entry("Annuaire des membres", routes.MEMBER_DIRECTORY, "people"),
    Entry("Mon profil", routes.MEMBER, "person"),
    Entry("Mon entreprise", routes.MEMBER_COMPANY, "building"),
    Entry("Mes invitations", routes.MEMBER_INVITATIONS, "mail"),
    Entry("Mes données", routes.MEMBER_DATA, "lock"),
)


def public_layout(*content: Any, on_arrive: Any = ()) -> rx.Component:
    """The site's header and footer around a public screen. `on_arrive` is explained in `RouteFocus`."""
    more = [
        show_if(ClubState.club.linkedin_url != "", external_link("LinkedIn", ClubState.club.linkedin_url)),
        page_link("Contact", to=f"{routes.HOME}#{CONTACT_SECTION}"),
    ]
    return _frame(_public_header(), _main(*content), _footer(*more), on_arrive=on_arrive, class_name="public")


def record_page(shown: rx.Component, is_loaded: Any = True) -> rx.Component:
    """The public page of one member or company; the first paint, a document that has its data, is always loaded."""
    return public_layout(takeover(is_loaded), rx.el.div(shown, class_name="wrap page person"))


def bare_layout(*content: Any, on_arrive: Any = ()) -> rx.Component:
    """A header with emblem and name only, for screens with a single task."""
    header = rx.el.header(rx.el.div(brand(), class_name="wrap"), class_name="site-header site-header-bare")
    return _frame(header, _main(*content), _footer(), on_arrive=on_arrive, class_name="bare")


def admin_layout(*content: Any, **props: Any) -> rx.Component:
    """The administration: its menu at the side, the title and the screen's actions above the content."""
    panel = session_panel(routes.ADMIN_SESSIONS, ("Mon espace membre", routes.MEMBER))
    menus = (admin_sidebar(panel), top_bar(), shortcuts())
    return _workspace(menus, mail_pause_banner(), *content, class_name="workspace frame-admin", **props)


def member_layout(*content: Any, **props: Any) -> rx.Component:
    """The member area, laid out like the administration."""
    panel = session_panel(routes.MEMBER_SESSIONS, (AREA, routes.ADMIN))
    return _workspace((_sidebar("Espace Membre", panel),), *content, class_name="workspace", **props)


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
    menus: Sequence[rx.Component],
    *content: Any,
    class_name: str,
    title: Text,
    hint: Text | rx.Component = "",
    heading: rx.Component | None = None,
    actions: Sequence[rx.Component] = (),
    back: rx.Component | None = None,
    on_arrive: Any = (),
) -> rx.Component:
    main = screen_main(*content, title=title, hint=hint, heading=heading, actions=actions, back=back)
    parts = (*menus, main, _footer(), proof_dialog())
    return _frame(*parts, on_arrive=on_arrive, class_name=class_name)


def screen_main(
    *content: Any,
    title: Text,
    hint: Text | rx.Component = "",
    heading: rx.Component | None = None,
    actions: Sequence[rx.Component] = (),
    back: rx.Component | None = None,
) -> rx.Component:
    """The main part of a screen of either area: title and actions, then the content.

    A `heading` of the screen's own, which holds its h1, stands in the place of title and hint. The page of a record has
    a link `back` to its list above its title, and at a desk its actions in the bar at the top.
    """
    heading = heading or rx.el.div(
        rx.el.h1(title, tab_index=-1, class_name="screen-title"),
        # A hint that is loaded later keeps its line, so that nothing below moves.
        rx.el.p(hint, class_name="screen-hint") if isinstance(hint, rx.Var) or hint else rx.fragment(),
    )
    place = "screen-actions screen-actions-above" if back else "screen-actions"
    tools = [rx.el.div(*actions, class_name=place)] if actions else []
    # No header element: in the first paint, whose main part is a div, it would be a second banner.
    header = rx.el.div(heading, *tools, class_name="screen-header")
    way_back = [rx.el.p(back, class_name="screen-back")] if back else []
    return _main(*way_back, header, *content)


def _sidebar(area: str, panel: rx.Component) -> rx.Component:
    links = rx.el.nav(
        *[
            menu_link(icon(entry.drawing), rx.el.span(entry.text), to=entry.to, is_near=True, class_name="sidebar-link")
            for entry in _MEMBER_MENU
        ],
        aria_label=area,
        class_name="sidebar-menu",
    )
    home = page_link(emblem(), rx.el.span(area, class_name="brand-name"), to=routes.MEMBER, class_name="brand")
    return rx.el.header(home, collapsible_menu(links, panel, class_name="fold"), class_name="sidebar")
