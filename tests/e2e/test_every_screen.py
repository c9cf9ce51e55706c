"""Every screen: axe, the focus is always seen, states are told apart, nothing is cut off (A1, A7, A8, A9)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect
from sqlmodel import Session, col, select

from clubapp import clock, routes
from clubapp.clubapp import SCREENS
from clubapp.database import reading, transaction
from clubapp.mail.messages.guest_notice import guest_link
from clubapp.mail.messages.recipients_now import unsubscribe_link
from clubapp.models import Event, EventGuest, Member
from clubapp.services.access import sessions
from clubapp.services.attendance import helper_link
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS, SETTLED, hidden, walk_by_keys
from tests.e2e.invitation_steps import AT_REST, Invitation, database_of, fits, has_no_barrier, invite
from tests.e2e.layout_checks import HEIGHTS, SCOPE, set_apart
from tests.e2e.screen_steps import READY, first_rows, go
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site

# They lead on by themselves; and the kit waits for ever in some of its states, and has a test of its own.
LEAVING = {routes.CALLBACK, routes.ADMIN_CALLBACK, routes.KIT}
WIDE = ViewportSize(width=1280, height=800)

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
PAGES = [page for screen in SCREENS for page in screen.PAGES if page.route not in LEAVING]
# One of the two addresses that the list of members has, and the sign-in.
ROUTES = list({page.content: page.route for page in reversed(PAGES)}.values())[::-1]
AREAS = {"/admin": ADMIN_EMAIL, "/member": MEMBER_EMAIL, "": ""}


def area_of(route: str) -> str:
    """Whose screen it is."""
    is_door = route in (routes.ADMIN_SIGN_IN, routes.SECOND_STEP)
    return "" if is_door else next(area for area in AREAS if route.startswith(area))


def address(site: Site, route: str, made: Invitation) -> str:
    """Where a screen is, of a record if it needs one."""
    if route == routes.ANSWER:
        return made.path
    with database_of(site), reading() as session:
        has_company = col(Member.company_id).is_not(None)
        shown = select(Member).where(col(Member.is_active), col(Member.is_listed), has_company)
        member = session.exec(shown.order_by(col(Member.name))).first()
        assert member
        records = {"event_id": made.event_id, "company_id": str(member.company_id), "member_id": member.id}
    return re.sub(r"\[(\w+)\]", lambda name: records[name[1]], route)


@pytest.fixture
def open_page(site: Site, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    def open_for(email: str = "", path: str = "") -> Page:
        page = new_context(site).new_page()
        # Otherwise each change is a transition, which ends after the next press.
        page.emulate_media(reduced_motion="no-preference")
        page.set_viewport_size(WIDE)
        if email:
            sign_in(page, site, email)
        if path:
            load(page, path)
        return page

    return open_for


def load(page: Page, path: str) -> None:
    """A screen by its address."""
    page.goto(path)
    page.wait_for_function(READY)


@pytest.mark.console_errors("status of 404")
@pytest.mark.parametrize("area", AREAS)
def test_nobody_is_shut_out(open_page: Callable[..., Page], site: Site, area: str) -> None:
    """Each screen with axe, with the keyboard, with letters set apart, in the colours of the system.

    Visitors come to each by its address, and the others by links, once they are signed in.
    """
    page, found = open_page(AREAS[area]), []
    made = invite(site, title="Soirée des passementiers")
    for number, route in enumerate(route for route in ROUTES if area_of(route) == area):
        if route == routes.SECOND_STEP:
            sign_in_half(page, site)
        reach = go if area and number else load
        reach(page, address(site, route, made))
        for state in ((), *STATES.get(route, ())):
            for opener in state:
                opener(page).click()
            if state:
                expect(page.locator("dialog[open], form :focus")).not_to_have_count(0)
                page.wait_for_function(READY)
                page.evaluate(SETTLED)
            found += [f"{route} {len(state)} {fault}" for fault in faults(page, with_axe=not state)]
            leave(page)
    assert not found, "\n".join(found)


def test_no_document_without_interface_shuts_anybody_out(open_page: Callable[..., Page], site: Site) -> None:
    """The pages that the server writes alone, as the screens above."""
    invited = invite(site, title="Soirée des apprêteurs", coming=3)
    with database_of(site), transaction() as session:
        marie = session.exec(select(Member).where(Member.email == MEMBER_EMAIL)).one()
        paths = (
            unsubscribe_link(marie),
            guest_link(add_guest(session, invited)),
            helper_link.make_link(session, SYSTEM, invited.event_id).address,
            routes.arrivals(invited.event_id),
        )
    page, found = open_page(), []
    for path in paths:
        if path == routes.arrivals(invited.event_id):
            sign_in(page, site, ADMIN_EMAIL)
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        found += [f"{path} {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)


def test_what_is_pressed_keeps_the_focus_and_a_refusal_does_not_outlive_its_screen(
    open_page: Callable[..., Page], site: Site
) -> None:
    invite(site, title="Soirée des peigneurs", date=clock.from_local("2098-06-14T12:00"))
    day = "2098-06-21"
    page = open_page(ADMIN_EMAIL, f"{routes.ADMIN_EVENTS}?vue=mois&date={day}")
    page.locator(f"[data-day='{day}']").click()
    refusal = page.get_by_role("alert").filter(has_text="existe déjà")
    expect(refusal).to_be_visible()
    page.get_by_role("link", name="Membres", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_visible()
    page.get_by_role("link", name="Événements", exact=True).click()
    expect(page.locator(".rbc-calendar")).to_be_visible()
    expect(refusal).to_have_count(0)

    go(page, routes.ADMIN_HEALTH)
    press(page, "Vérifier maintenant")
    expect(page.get_by_role("button", name=re.compile("Vérifi"))).to_be_focused()
    go(page, routes.ADMIN_REMINDERS)
    press(page, "Sauvegarder")
    expect(page.get_by_role("button", name=re.compile("Sauvegarder|Enregistrement"))).to_be_focused()
    expect(page.locator(".toast-success")).to_be_visible()
    press(page, "Fermer le message")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    go(page, routes.ADMIN_MAIL_LOG)
    press(page, "Mettre les envois en pause")
    expect(page.get_by_text("Envois d’e-mails en pause")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)
    press(page, "Reprendre")
    expect(page.get_by_text("Envois d’e-mails en pause")).to_have_count(0)
    page.wait_for_function(HOLDS_FOCUS)

    invited = invite(site, title="Soirée des rouisseurs")
    sign_in(page, site, MEMBER_EMAIL)
    load(page, routes.MEMBER_INVITATIONS)
    own = page.locator(f"[data-event-id='{invited.event_id}']")
    own.get_by_role("radio", name="Je viens", exact=True).check()
    press(page, "Envoyer ma réponse", own)
    expect(own.get_by_role("button", name="Changer ma réponse")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)
    assert own.evaluate("(card) => card.contains(document.activeElement)")


def test_a_title_of_one_long_word_widens_no_screen(open_page: Callable[..., Page], site: Site) -> None:
    word = "Anticonstitutionnellement" * 8
    invited = invite(site, title=word, location=word, invitation_sent=True)
    with database_of(site), transaction() as session:
        audit.record(session, SYSTEM, "event.updated", invited.event_id)
    page = open_page(ADMIN_EMAIL, routes.ADMIN_EVENTS)
    calls = routes.CALLING_LIST.replace("[event_id]", invited.event_id)
    for path in (routes.ADMIN_EVENTS, routes.ADMIN_EMAILS, calls, routes.ADMIN_ACTS):
        if path != routes.ADMIN_EVENTS:
            go(page, path)
        expect(page.get_by_text(word).first).to_be_visible()
        for width, height in HEIGHTS.items():
            page.set_viewport_size({"width": width, "height": height})
            fits(page)
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, invited.event_id))


def faults(page: Page, *, with_axe: bool = True) -> list[str]:
    """What is wrong with what is on top. The dialogs are shown to axe where they are tested."""
    found = [f"border: {fault}" for fault in page.evaluate(_FAINT_BORDERS)]
    fits(page)
    page.set_viewport_size({"width": 320, "height": HEIGHTS[320]})
    fits(page)
    found += [f"cut off: {fault}" for fault in set_apart(page)]
    with first_rows(page):
        found += [f"in forced colours: {fault}" for fault in in_forced_colours(page)]
        for width, look in ((320, walk_by_keys), (390, hidden), (1280, walk_by_keys)):
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            found += [f"{width} {fault}" for fault in look(page)]
            if with_axe and look == walk_by_keys:
                has_no_barrier(page)
    return found


def sign_in_half(page: Page, site: Site) -> None:
    """Somebody of whom a second factor is still wanted."""
    email = admin(site, "filandiere")
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, email, is_half_open=True)
    page.context.add_cookies([{"name": "session", "value": cookie, "url": site.url}])


def add_guest(session: Session, invited: Invitation) -> str:
    """A named guest of Marie's."""
    guest = EventGuest(
        event_id=invited.event_id,
        reservation_id=invited.reservation_id,
        position=1,
        name="Ada",
        created_at=clock.now(),
        updated_at=clock.now(),
    )
    session.add(guest)
    return guest.id


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
