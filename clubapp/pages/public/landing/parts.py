"""The sections of the landing page."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.landing.state import LandingState
from clubapp.services.public_site import club_presentation
from clubapp.ui import external_link, page_link
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.layouts import ACTIVITIES_SECTION, CLUB_SECTION, CONTACT_SECTION
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if

_CLUB: Any = ClubState.club
_EVENT: Any = LandingState.event


def hero() -> rx.Component:
    """Who we are, and the two things to do."""
    actions = rx.el.div(
        page_link("Voir les membres", to=routes.DIRECTORY, class_name="button button-primary button-large"),
        page_link(
            "Rejoindre le réseau",
            to=f"{routes.HOME}#{CONTACT_SECTION}",
            class_name="button button-outline button-large",
        ),
        class_name="hero-actions",
    )
    text = rx.el.div(
        rx.el.h1(_CLUB.headline, class_name="hero-title"),
        rx.el.p(club_presentation.LEAD, class_name="hero-lead"),
        actions,
        class_name="hero-text",
    )
    picture = rx.el.img(
        src="/skyline.svg", alt="", custom_attrs={"width": "640", "height": "422"}, class_name="hero-picture"
    )
    return rx.el.section(rx.el.div(text, picture, class_name="wrap hero-wrap"), class_name="hero")


def figures() -> rx.Component:
    """Three figures."""
    return rx.el.section(
        rx.el.ul(
            _figure(_CLUB.companies, "entreprises membres"),
            _figure(_CLUB.events, "événements par an"),
            _figure(_CLUB.expertise, "années d’expertise"),
            class_name="wrap figures-list",
        ),
        aria_label="Le club en chiffres",
        class_name="figures",
    )


def next_event() -> rx.Component:
    """The next event, when one is announced."""
    facts = rx.el.p(
        rx.el.span(_EVENT.date, class_name="next-event-fact"),
        rx.el.span(_EVENT.location, class_name="next-event-fact"),
        class_name="next-event-facts",
    )
    text = rx.el.div(
        rx.el.p("Prochaine rencontre", class_name="kicker"),
        rx.el.h2(
            page_link(_EVENT.title, to=f"{routes.HOME}#{CONTACT_SECTION}"),
            id="next-event",
            class_name="next-event-title",
        ),
        facts,
        class_name="wrap next-event-wrap",
    )
    return show_if(_EVENT.title, rx.el.section(text, aria_labelledby="next-event", class_name="next-event"))


def about() -> rx.Component:
    """The animator, and what membership brings."""
    portrait = responsive_image(LandingState.portrait, alt=_CLUB.animator_name, lazy=True, class_name="about-portrait")
    text = rx.el.div(
        rx.el.p(_CLUB.animated_by, class_name="kicker"),
        rx.el.h2(club_presentation.ABOUT_TITLE, class_name="section-title"),
        rx.el.p(_CLUB.animator_text, class_name="about-text"),
        rx.el.ul(*[_benefit(point) for point in club_presentation.BENEFITS], class_name="benefits"),
        class_name="about-body",
    )
    return rx.el.section(
        rx.el.div(portrait, text, class_name="wrap about-wrap"),
        id=CLUB_SECTION,
        tab_index=-1,
        class_name="section about",
    )


def activities() -> rx.Component:
    """What happens in a year."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(club_presentation.ACTIVITIES_TITLE, class_name="section-title"),
            rx.el.ol(*[_activity(point) for point in club_presentation.ACTIVITIES], class_name="activities-list"),
            class_name="wrap",
        ),
        id=ACTIVITIES_SECTION,
        tab_index=-1,
        class_name="section activities",
    )


def rule() -> rx.Component:
    """The non-competition rule."""
    body = rx.el.div(
        rx.el.h2(club_presentation.RULE_TITLE, class_name="rule-title"),
        rx.el.p(club_presentation.RULE, class_name="rule-text"),
        class_name="rule-body",
    )
    mark = rx.el.span(class_name="rule-mark", aria_hidden="true")
    return rx.el.section(rx.el.div(mark, body, class_name="wrap rule-card"), class_name="section rule")


def contact() -> rx.Component:
    """How to join."""
    text = rx.el.div(
        rx.el.h2(club_presentation.CONTACT_TITLE, class_name="section-title"),
        rx.el.p(club_presentation.CONTACT_LEAD, class_name="contact-lead"),
        external_link("Demander mon adhésion", _CLUB.join_href, class_name="button button-primary button-large"),
        class_name="contact-text",
    )
    ways = rx.el.ul(
        _way("Par e-mail", _CLUB.email, _CLUB.email_href),
        _way("Par téléphone", _CLUB.phone, _CLUB.phone_href),
        class_name="contact-ways",
    )
    return rx.el.section(
        rx.el.div(text, ways, class_name="wrap contact-wrap"),
        id=CONTACT_SECTION,
        tab_index=-1,
        class_name="section contact",
    )


def _figure(value: rx.Var[str], label: str) -> rx.Component:
    return rx.el.li(
        rx.el.span(value, class_name="figure-value"),
        " ",
        rx.el.span(label, class_name="figure-label"),
        class_name="figure",
    )


def _benefit(point: club_presentation.Point) -> rx.Component:
    return rx.el.li(
        rx.el.h3(point.title, class_name="point-title"),
        rx.el.p(point.text, class_name="point-text"),
        class_name="benefit",
    )


def _activity(point: club_presentation.Point) -> rx.Component:
    size = {"width": "120", "height": "96"}
    return rx.el.li(
        rx.el.img(src=point.picture, alt="", custom_attrs=size, loading="lazy", class_name="activity-picture"),
        rx.el.h3(point.title, class_name="point-title"),
        rx.el.p(point.text, class_name="point-text"),
        class_name="activity",
    )


def _way(label: str, text: rx.Var[str], href: rx.Var[str]) -> rx.Component:
    return rx.el.li(
        rx.el.span(label, class_name="way-label"), external_link(text, href, class_name="way-link"), class_name="way"
    )
