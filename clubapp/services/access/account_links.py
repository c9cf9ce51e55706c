"""What the links in mails about an account do, once they are confirmed on their page (S14)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlmodel import Session

from clubapp import clock, tokens
from clubapp.mail.messages.account import CANCEL_CHANGE, NOT_ME, UNDO_CHANGE, read_account_link
from clubapp.mail.messages.security_notice import RemovedAccess, kept_sentence
from clubapp.models import KnownBrowser
from clubapp.refusals import NotFound
from clubapp.services.access import email_change, factor_loss, security_notices, sessions, sign_in
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

LINK_GONE = "Ce lien a déjà servi, a expiré, ou est incomplet."
PRESSED = "Ce lien a déjà fermé vos sessions."
NOTHING_LEFT = "Il n’y a plus rien à annuler\u00a0: votre fiche a bien cette adresse."
KEPT_OTHERWISE = (
    "Pour le retirer, ouvrez ce lien dans un navigateur qui vous servait ici avant cette connexion, ou demandez à un "
    "autre administrateur, ou à la personne qui exploite le site, de réinitialiser votre double vérification."
)
RESET_BY_OTHERS = (
    "Pour le retirer, demandez à un autre administrateur, ou à la personne qui exploite le site, de réinitialiser "
    "votre double vérification."
)
NOT_ME_LIFETIME = timedelta(days=7)


@dataclass(frozen=True)
class LinkAct:
    """What a link would do, or has done: title, text, and the label of its button."""

    title: str
    text: str
    button: str = ""


_ASKED = {
    NOT_ME: LinkAct(
        "Ce n’était pas vous\u00a0?",
        "Toutes les sessions ouvertes avec votre adresse seront fermées, sur tous les appareils. Ce qui a été fait "
        "depuis la connexion signalée est retiré\u00a0: moyens de double vérification et codes de secours ajoutés, "
        "changement d’adresse en attente, liens de connexion demandés. Changez ensuite le mot de passe de votre boîte "
        "mail.",
        "Fermer toutes mes sessions",
    ),
    CANCEL_CHANGE: LinkAct(
        "Annuler le changement d’adresse\u00a0?",
        "Votre adresse reste celle de votre fiche, et vos sessions ouvertes seront fermées.",
        "Annuler ce changement",
    ),
    UNDO_CHANGE: LinkAct(
        "Rétablir votre adresse\u00a0?",
        "Votre ancienne adresse redevient celle de votre fiche et de vos connexions. Toutes les sessions ouvertes "
        "seront fermées.",
        "Rétablir mon adresse",
    ),
}
_DONE = {
    NOT_ME: LinkAct("Vos sessions sont fermées", "Plus personne n’est connecté avec votre adresse."),
    CANCEL_CHANGE: LinkAct("Le changement est annulé", "Votre adresse n’a pas changé, et vos sessions sont fermées."),
    UNDO_CHANGE: LinkAct("Votre adresse est rétablie", "Connectez-vous de nouveau avec elle."),
}


def describe_link(session: Session, purpose: str, token: str, browser: Browser) -> LinkAct:
    """What a link would do in a browser; a change that was confirmed meanwhile is undone instead of cancelled.

    Raises:
        NotFound: when it can do nothing any more.
    """
    found, identifier = _find(session, purpose, token)
    asked = _ASKED[found]
    reported = session.get(KnownBrowser, identifier) if found == NOT_ME else None
    if reported is None:
        return asked
    kept = factor_loss.find_kept(session, reported.email, reported.first_seen_at, browser)
    _refuse_second_press(reported, kept)
    return replace(asked, text=f"{asked.text} {_tell_kept(kept)}") if kept else asked


def follow_link(session: Session, purpose: str, token: str, browser: Browser) -> LinkAct:
    """Do what a link is for, pressed in a browser.

    Raises:
        NotFound: when it can do nothing any more.
        Conflict: when somebody else has the old address now.
    """
    found, identifier = _find(session, purpose, token)
    return _ACTS[found](session, identifier, browser)


def _find(session: Session, purpose: str, token: str) -> tuple[str, str]:
    identifier = read_account_link(purpose, token)
    if identifier is None:
        raise NotFound(LINK_GONE)
    if purpose == NOT_ME:
        browser = session.get(KnownBrowser, identifier)
        if browser is None or browser.first_seen_at + NOT_ME_LIFETIME <= clock.now():
            raise NotFound(LINK_GONE)
        return NOT_ME, identifier
    change = email_change.find_standing(session, identifier)
    if change is None:
        raise NotFound(NOTHING_LEFT if email_change.keeps_address(session, identifier) else LINK_GONE)
    return UNDO_CHANGE if change.confirmed_at else CANCEL_CHANGE, change.id


def _take_account_back(session: Session, browser_id: str, pressed_in: Browser) -> LinkAct:
    """End all sessions of a browser's person, and remove what was added since the browser was first seen.

    The link stays good while factors stay that it removes in another browser, and does nothing more in others.
    """
    browser = session.get(KnownBrowser, browser_id)
    if browser is None:
        raise NotFound(LINK_GONE)
    email, since = browser.email, browser.first_seen_at
    _refuse_second_press(browser, factor_loss.find_kept(session, email, since, pressed_in))
    sessions.end_all_sessions(session, email)
    audit.record(session, Actor(email=email), "sign_out.everywhere")
    factors = factor_loss.remove_factors_since(session, email, since, pressed_in)
    if factors.kept:
        browser.token_hash = _hash_pressed(browser)  # it is recognised no more
        session.add(browser)
    else:
        session.delete(browser)
    removed = RemovedAccess(
        factors.names,
        factors.has_codes,
        has_change=email_change.void_pending(session, email),
        has_links=sign_in.void_links_since(session, email, since),
    )
    if not removed.parts and not factors.kept:
        return _DONE[NOT_ME]
    security_notices.tell_taken_back(session, email, removed, browser_id, factors.kept)
    done, kept = _DONE[NOT_ME], _tell_kept(factors.kept)
    return replace(done, text=" ".join(filter(None, (done.text, removed.sentence, kept))))


def _refuse_second_press(reported: KnownBrowser, kept: tuple[str, ...]) -> None:
    """Refuse a link that was pressed and would keep the same again: whoever reads the mailbox could press it all week.

    Raises:
        NotFound: with what is left to do.
    """
    if kept and reported.token_hash == _hash_pressed(reported):
        raise NotFound(f"{PRESSED} {_tell_kept(kept)}")


def _hash_pressed(reported: KnownBrowser) -> str:
    return tokens.fingerprint(reported.id)


def _cancel_change(session: Session, change_id: str, _browser: Browser) -> LinkAct:
    email_change.cancel_by_link(session, change_id)
    return _DONE[CANCEL_CHANGE]


def _undo_change(session: Session, change_id: str, browser: Browser) -> LinkAct:
    kept, done = email_change.undo_by_link(session, change_id, browser), _DONE[UNDO_CHANGE]
    return replace(done, text=f"{done.text} {kept_sentence(kept)} {RESET_BY_OTHERS}") if kept else done


def _tell_kept(kept: tuple[str, ...]) -> str:
    return f"{kept_sentence(kept)} {KEPT_OTHERWISE}" if kept else ""


_ACTS: dict[str, Callable[[Session, str, Browser], LinkAct]] = {
    NOT_ME: _take_account_back,
    CANCEL_CHANGE: _cancel_change,
    UNDO_CHANGE: _undo_change,
}
