"""Every screen: the focus is always seen, states are told apart, nothing is cut off (A7, A8, A9)."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import col, select

from clubapp import clock, routes
from clubapp.clubapp import SCREENS
from clubapp.database import reading, transaction
from clubapp.mail.messages.guest_notice import guest_link
from clubapp.mail.messages.recipients_now import unsubscribe_link
from clubapp.models import Event, EventGuest, Member
from clubapp.services.attendance import helper_link
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS, hidden_or_lost
from tests.e2e.invitation_steps import AT_REST, database_of, fits, has_no_barrier, invite
from tests.e2e.layout_checks import HEIGHTS, SCOPE, set_apart
from tests.e2e.site import Site

WIDTHS = (1280, 390, 320)
# They lead on by themselves; and the kit waits for ever in some of its states, and has a test of its own.
LEAVING = {routes.CALLBACK, routes.ADMIN_CALLBACK, routes.KIT}
_READY = """() => window.isAlive && !document.getElementById("first-paint")
    && [...document.querySelectorAll(".skeleton, .skeleton-cards, .spinner, .calendar-coming")]
        .every((node) => !node.checkVisibility())"""

_SAME = f"""() => {{
    {SCOPE}
    const KINDS = ["aria-pressed", "aria-selected", "aria-current"];
    const isOn = (node) => KINDS.some((kind) => ["true", "page"].includes(node.getAttribute(kind)));
    const SHOWN = ["color", "backgroundColor", "borderBottomColor", "textDecorationLine", "outlineStyle"];
    const looks = (node) => ["", "::after"].map((part) => {{
        const style = getComputedStyle(node, part || undefined);
        return part && style.content === "none" ? "" : SHOWN.map((name) => style[name]).join();
    }}).join();
    const isLike = (one, other) => other.className === one.className && other.localName === one.localName;
    const all = [...scope.querySelectorAll("*")];
    const alike = (node) => all.find((other) => isLike(node, other) && !isOn(other) && other.checkVisibility());
    const PAIRS = [[".answer-bar-done", ".answer-bar:not(.answer-bar-done)"],
        [".rbc-now .calendar-day", ".rbc-date-cell:not(.rbc-now) .calendar-day"]];
    const paired = PAIRS.map((pair) => pair.map((one) => scope.querySelector(one)));
    const stated = all.filter((node) => isOn(node) && node.checkVisibility())
        .map((node) => [node, alike(node)]);
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = "background: Highlight; color: HighlightText";
    const grounds = (node) => [getComputedStyle(node).backgroundColor, getComputedStyle(node).color].join();
    const wanted = grounds(probe);
    probe.remove();
    const isWrong = ([on, off]) => on && off && (looks(on) === looks(off) || (isOn(on) && grounds(on) !== wanted));
    return [...stated, ...paired].filter(isWrong)
        .map(([on]) => `${{on.className}} ${{on.textContent.slice(0, 30)}}`);
}}"""
# Buttons that begin left of the text above them, end right of it, or whose words touch the frame that all have there.
_OUTDENTED = f"""() => {{
    {SCOPE}
    const isOut = (node, side) => {{
        const style = getComputedStyle(node);
        return parseFloat(style[`margin${{side}}`]) < -parseFloat(style[`padding${{side}}`]);
    }};
    const isMoved = (node, side) => parseFloat(getComputedStyle(node)[`margin${{side}}`]) < 0;
    const sticksOut = (node) => ["Left", "Right"]
        .some((side) => isMoved(node, side) || isOut(node.parentElement, side));
    const isTight = (node) => node.textContent.trim() && ["Left", "Right"].some((side) => {{
        const style = getComputedStyle(node);
        return parseFloat(style[`border${{side}}Width`]) && parseFloat(style[`padding${{side}}`]) < 4;
    }});
    return [...scope.querySelectorAll(".button")]
        .filter((node) => node.checkVisibility() && (sticksOut(node) || isTight(node))).slice(0, 5)
        .map((node) => `<${{node.className}}> ${{node.textContent.slice(0, 30)}}`);
}}"""
# The edge of what is pressed or filled, against what is around it: 3:1, unless its own ground says where it ends.
_FAINT_BORDERS = f"""() => {{
    {SCOPE}
    const levels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((level) => level / 255)
        .map((level) => level <= 0.03928 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4)
        .reduce((sum, level, index) => sum + level * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one, other) => {{
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    }};
    const groundOf = (node) => {{
        for (; node; node = node.parentElement) {{
            const ground = levels(getComputedStyle(node).backgroundColor);
            if (ground.length === 3) return ground;
        }}
        return [255, 255, 255];
    }};
    const isFaint = (node) => {{
        const style = getComputedStyle(node), around = groundOf(node.parentElement);
        const edge = levels(style.borderTopColor);
        if (!parseFloat(style.borderTopWidth) || edge.length > 3) return false;
        return contrast(edge, around) < 3 && contrast(groundOf(node), around) < 3;
    }};
    const isActive = (node) =>
        node.checkVisibility() && !node.matches(":disabled") && node.ariaDisabled !== "true" && !node.readOnly;
    return [...scope.querySelectorAll("button, .button, input, select, textarea")]
        .filter((node) => isActive(node) && isFaint(node)).slice(0, 5)
        .map((node) => `<${{node.localName}} ${{node.className}}> ${{node.textContent.slice(0, 30)}}`);
}}"""


Opener = Callable[[Page], Locator]


def button(name: str, within: str = "main") -> Opener:
    """The first button of that name."""
    return lambda page: page.locator(within).get_by_role("button", name=name).first


def tab(name: str) -> Opener:
    """A tab of the dialog on top, or of the page."""
    return lambda page: page.get_by_role("tab", name=name).last


# The dialogs of a screen: each line is pressed in turn, then left by Escape or by 'Annuler'.
STATES: dict[str, tuple[tuple[Opener, ...], ...]] = {
    routes.ADMIN: ((button("Nouveau membre"),),),
    routes.ADMIN_COMPANIES: ((button("Nouvelle entreprise"),),),
    routes.ADMIN_EVENTS: (
        (button("Nouvel événement"),),
        (button("Voir détails"),),
        (button("Voir détails"), tab("Personnes")),
        (button("Tester l'email"),),
        (button("Envoyer invitations"),),
    ),
    routes.ADMIN_EMAILS: (
        (button("Modifier les templates"),),
        (button("Configurer la signature"),),
        (tab("Nouvel email vierge"), button("Nouvel e-mail")),
    ),
}
ROUTES = [page.route for screen in SCREENS for page in screen.PAGES if page.route not in LEAVING]


@dataclass
class Screens:
    """Opens screens, each for someone who may see it."""

    site: Site
    new_context: Callable[..., BrowserContext]

    def open(self, route: str) -> Page:
        """The screen, loaded, for someone who may see it."""
        page = self.new_context(self.site).new_page()
        # Otherwise each change is a transition, which ends after the next press.
        page.emulate_media(reduced_motion="no-preference")
        if route.startswith("/admin") and route != routes.ADMIN_SIGN_IN:
            sign_in(page, self.site, ADMIN_EMAIL)
        elif route.startswith("/member"):
            sign_in(page, self.site, MEMBER_EMAIL)
        page.goto(self._address(page, route))
        page.wait_for_function(_READY)
        return page

    def _address(self, page: Page, route: str) -> str:
        if "[" not in route:
            return route
        if "event_id" in route:
            made = invite(self.site, title="Soirée des passementiers")
            return made.path if route == routes.ANSWER else route.replace("[event_id]", made.event_id)
        with database_of(self.site), reading() as session:
            has_company = col(Member.company_id).is_not(None)
            shown = select(Member).where(col(Member.is_active), col(Member.is_listed), has_company)
            member = session.exec(shown.order_by(col(Member.name))).first()
            assert member
            identifier = str(member.company_id) if "company_id" in route else member.id
            return route.replace("[company_id]", identifier).replace("[member_id]", identifier)


@pytest.fixture
def screens(site: Site, new_context: Callable[..., BrowserContext]) -> Screens:
    return Screens(site, new_context)


@pytest.mark.console_errors("status of 404")
@pytest.mark.parametrize("route", ROUTES)
def test_nobody_is_shut_out(screens: Screens, route: str) -> None:
    """One load a screen: with the keyboard, with letters set apart, in the colours of the system (A8, A9)."""
    page = screens.open(route)
    found = []
    for state in ((), *STATES.get(route, ())):
        page.set_viewport_size({"width": 1280, "height": 800})
        for opener in state:
            opener(page).click()
        if state:
            expect(page.locator("dialog[open], form :focus")).not_to_have_count(0)
        page.wait_for_function(_READY)
        found += [f"{len(state)} border: {fault}" for fault in page.evaluate(_FAINT_BORDERS)]
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            found += [f"{len(state)} {width} {fault}" for fault in hidden_or_lost(page)]
        found += [f"{len(state)} cut off: {fault}" for fault in set_apart(page)]
        found += [f"{len(state)} in forced colours: {fault}" for fault in in_forced_colours(page)]
        leave(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["arrivals", "arrivals of helpers", "guest", "unsubscribe"])
def test_no_document_without_interface_shuts_anybody_out(screens: Screens, site: Site, name: str) -> None:
    """The pages that the server writes alone, as the screens above, and with axe (A1, A8, A9)."""
    page = screens.new_context(site).new_page()
    page.emulate_media(reduced_motion="no-preference")
    invited = invite(site, title="Soirée des apprêteurs", coming=3)
    with database_of(site), transaction() as session:
        if name == "unsubscribe":
            path = unsubscribe_link(session.exec(select(Member).where(Member.email == MEMBER_EMAIL)).one())
        elif name == "guest":
            guest = EventGuest(
                event_id=invited.event_id,
                reservation_id=invited.reservation_id,
                position=1,
                name="Ada",
                created_at=clock.now(),
                updated_at=clock.now(),
            )
            session.add(guest)
            path = guest_link(guest.id)
        elif name == "arrivals":
            path = routes.arrivals(invited.event_id)
        else:
            path = helper_link.make_link(session, SYSTEM, invited.event_id).address
    if name == "arrivals":
        sign_in(page, site, ADMIN_EMAIL)
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        found += [f"{width} {fault}" for fault in hidden_or_lost(page)]
        has_no_barrier(page)
    found += [*page.evaluate(_FAINT_BORDERS), *set_apart(page), *in_forced_colours(page)]
    assert not found, "\n".join(found)


def test_what_is_pressed_keeps_the_focus_or_hands_it_on(screens: Screens, site: Site) -> None:
    page = screens.open(routes.ADMIN_HEALTH)
    press(page, "Vérifier maintenant")
    expect(page.get_by_role("button", name=re.compile("Vérifi"))).to_be_focused()
    page.goto(routes.ADMIN_REMINDERS)
    press(page, "Sauvegarder")
    expect(page.get_by_role("button", name=re.compile("Sauvegarder|Enregistrement"))).to_be_focused()
    expect(page.locator(".toast-success")).to_be_visible()
    press(page, "Fermer le message")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.goto(routes.ADMIN_MAIL_LOG)
    press(page, "Mettre les envois en pause")
    expect(page.get_by_text("Envois d’e-mails en pause")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)
    press(page, "Reprendre")
    expect(page.get_by_text("Envois d’e-mails en pause")).to_have_count(0)
    page.wait_for_function(HOLDS_FOCUS)

    invited = invite(site, title="Soirée des rouisseurs")
    page = screens.open(routes.MEMBER_INVITATIONS)
    own = page.locator(f"[data-event-id='{invited.event_id}']")
    own.get_by_role("radio", name="Je viens", exact=True).check()
    press(page, "Envoyer ma réponse", own)
    expect(own.get_by_role("button", name="Changer ma réponse")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)
    assert own.evaluate("(card) => card.contains(document.activeElement)")


def test_a_title_of_one_long_word_widens_no_screen(screens: Screens, site: Site) -> None:
    word = "Anticonstitutionnellement" * 8
    invited = invite(site, title=word, location=word, invitation_sent=True)
    with database_of(site), transaction() as session:
        audit.record(session, SYSTEM, "event.updated", invited.event_id)
    page = screens.open(routes.ADMIN_EVENTS)
    calls = routes.CALLING_LIST.replace("[event_id]", invited.event_id)
    for path in (routes.ADMIN_EVENTS, routes.ADMIN_EMAILS, calls, routes.ADMIN_ACTS):
        page.goto(path)
        page.wait_for_function(_READY)
        expect(page.get_by_text(word).first).to_be_visible()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            fits(page)
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, invited.event_id))


def test_a_refusal_does_not_outlive_its_screen(screens: Screens, site: Site) -> None:
    invite(site, title="Soirée des peigneurs", date=clock.from_local("2098-06-14T12:00"))
    day = "2098-06-21"
    page = screens.open(f"{routes.ADMIN_EVENTS}?vue=mois&date={day}")
    page.locator(f"[data-day='{day}']").click()
    refusal = page.get_by_role("alert").filter(has_text="existe déjà")
    expect(refusal).to_be_visible()
    page.get_by_role("link", name="Membres", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_visible()
    page.get_by_role("link", name="Événements", exact=True).click()
    expect(page.locator(".rbc-calendar")).to_be_visible()
    expect(refusal).to_have_count(0)


def press(page: Page, name: str, within: Locator | None = None) -> None:
    """Press a button with the keyboard."""
    button = (within or page).get_by_role("button", name=name, exact=True).first
    button.focus()
    page.keyboard.press("Enter")


def in_forced_colours(page: Page) -> list[str]:
    """What is chosen and looks like its neighbour that is not, and buttons that stick out of their column."""
    page.emulate_media(forced_colors="active", reduced_motion="no-preference")
    page.wait_for_function(AT_REST)
    found = [*page.evaluate(_SAME), *page.evaluate(_OUTDENTED)]
    page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    return found


def leave(page: Page) -> None:
    """Close what is open, also when the focus is in the frame of a preview."""
    while count := page.locator("dialog[open]").count():
        page.locator("dialog[open] h2").last.focus()
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).not_to_have_count(count)
