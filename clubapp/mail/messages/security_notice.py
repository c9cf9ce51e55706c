"""What people are told about the access to their account (S14): one kind of mail, one text for each notice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from clubapp import clock
from clubapp.mail.messages import account
from clubapp.mail.messages.letter import Letter
from clubapp.models import OutboxMail
from clubapp.settings import settings

KIND = "security_notice"


class SecurityNotice(StrEnum):
    """What a notice is about."""

    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    RECOVERY_CODE_USED = "recovery_code_used"
    FACTORS_RESET = "factors_reset"
    NEW_BROWSER = "new_browser"
    ADMIN_ADDED = "admin_added"
    ADMIN_REMOVED = "admin_removed"
    CHANGE_ASKED = "change_asked"
    ADDRESS_CHANGED = "address_changed"
    TAKEN_BACK = "taken_back"
    CHANGE_UNDONE = "change_undone"


@dataclass(frozen=True)
class NoticeText:
    """The words of a notice: its title, its paragraphs, and buttons as pairs of text and link."""

    title: str
    paragraphs: tuple[str, ...]
    buttons: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RemovedAccess:
    """What 'Ce n’est pas moi' has removed besides sessions: the names of factors, and what else there was."""

    factors: tuple[str, ...] = ()
    has_codes: bool = False
    has_change: bool = False
    has_links: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """Each in words."""
        others = {
            "les codes de secours": self.has_codes,
            "le changement d’adresse en attente": self.has_change,
            "les liens de connexion demandés": self.has_links,
        }
        return *map(_quote, self.factors), *(text for text, is_so in others.items() if is_so)

    @property
    def sentence(self) -> str:
        """All of it; empty when there is nothing."""
        if not self.parts:
            return ""
        return f"Ce qui avait été fait depuis la connexion signalée est retiré\u00a0: {', '.join(self.parts)}."


def kept_sentence(names: Sequence[str]) -> str:
    """The factors of an administrator that stay, although they were added since what was reported."""
    kept = ", ".join(map(_quote, names))
    return (
        f"Reste ce qui a été ajouté depuis à la double vérification\u00a0: {kept}. La boîte mail d’un administrateur "
        "ne suffit pas à retirer sa seule double vérification."
    )


def _quote(name: str) -> str:
    return f"«\u00a0{name}\u00a0»"


def compose_security_notice(_session: Session, mail: OutboxMail) -> Letter:
    """The letter of a notice, about the moment at which it was queued."""
    context = mail.context
    at = clock.long_date(datetime.fromisoformat(context["at"]))
    text = _TEXTS[SecurityNotice(context["notice"])](context, at)
    return Letter(
        KIND,
        {
            "heading": text.title,
            "paragraphs": text.paragraphs,
            "buttons": text.buttons,
            "contact_email": settings().contact_email,
        },
    )


def _factor_added(context: dict[str, Any], at: str) -> NoticeText:
    return NoticeText(
        "Votre double vérification a un moyen de plus",
        (f"Le {at}, «\u00a0{context['name']}\u00a0» a été ajouté aux moyens de vérifier vos connexions.",),
    )


def _factor_removed(context: dict[str, Any], at: str) -> NoticeText:
    return NoticeText(
        "Votre double vérification a un moyen de moins",
        (f"Le {at}, «\u00a0{context['name']}\u00a0» a été retiré des moyens de vérifier vos connexions.",),
    )


def _recovery_code_used(context: dict[str, Any], at: str) -> NoticeText:
    left = context["left"]
    kept = "Il ne vous en reste aucun" if not left else f"Il vous en reste {left}"
    return NoticeText(
        "Un code de secours a servi",
        (
            f"Le {at}, l’un de vos codes de secours a remplacé votre double vérification. {kept}\u00a0; vous pouvez en "
            "faire dix nouveaux dans «\u00a0Mes sessions\u00a0».",
        ),
    )


def _factors_reset(context: dict[str, Any], at: str) -> NoticeText:
    return NoticeText(
        "Une double vérification a été réinitialisée",
        (
            f"Le {at}, {_by(context)} a retiré la double vérification de {context['email']}, et ses sessions ont été "
            "fermées. Cette personne se connecte de nouveau avec son seul e-mail, et peut en ajouter une autre.",
        ),
    )


def _new_browser(context: dict[str, Any], at: str) -> NoticeText:
    country = context.get("country", "")
    place = (
        f"Lieu\u00a0: {country}, d’après le pays où est enregistrée l’adresse de sa connexion à internet."
        if country
        else "Lieu\u00a0: inconnu, car l’adresse de sa connexion à internet n’est enregistrée dans aucun pays."
    )
    return NoticeText(
        "Connexion depuis un nouveau navigateur",
        (
            f"Le {at}, quelqu’un s’est connecté avec votre adresse depuis un navigateur que nous ne "
            f"connaissions pas\u00a0: {context['browser']}.",
            place,
            "C’est vous\u00a0? Il n’y a rien à faire. Sinon, un bouton ferme toutes vos sessions\u00a0; changez "
            "ensuite le mot de passe de votre boîte mail, qui ouvre l’accès au site.",
        ),
        (("Ce n’est pas moi", account.build_account_link(account.NOT_ME, context["browser_id"])),),
    )


def _admin_added(context: dict[str, Any], at: str) -> NoticeText:
    return NoticeText(
        "Un administrateur de plus",
        (f"Le {at}, {_by(context)} a donné l’accès à l’administration à {context['email']}.",),
    )


def _admin_removed(context: dict[str, Any], at: str) -> NoticeText:
    return NoticeText(
        "Un administrateur de moins",
        (f"Le {at}, {_by(context)} a retiré l’accès à l’administration à {context['email']}.",),
    )


def _change_asked(context: dict[str, Any], at: str) -> NoticeText:
    change_id = context["change_id"]
    return NoticeText(
        "Changement d’adresse demandé",
        (
            f"Le {at}, une session ouverte avec votre adresse a servi à demander que l’adresse de votre fiche "
            f"devienne {context['new_email']}.",
            "C’est vous\u00a0? Il n’y a rien à faire ici. Sinon, annulez ce changement\u00a0; s’il a déjà été "
            "confirmé, rétablissez votre adresse dans les sept jours. Vos sessions se ferment alors.",
        ),
        (
            ("Annuler ce changement", account.build_account_link(account.CANCEL_CHANGE, change_id)),
            ("Rétablir mon adresse", account.build_account_link(account.UNDO_CHANGE, change_id)),
        ),
    )


def _address_changed(context: dict[str, Any], at: str) -> NoticeText:
    new = context["new_email"]
    now = f"Elle est désormais {new}." if new else "Elle n’a plus d’adresse."
    return NoticeText(
        "L’adresse de votre fiche a changé",
        (
            f"Le {at}, {_by(context)} a changé l’adresse e-mail de votre fiche. {now} Celle à laquelle "
            "vous recevez ce message ne permet plus de se connecter.",
        ),
    )


def _taken_back(context: dict[str, Any], at: str) -> NoticeText:
    removed = RemovedAccess(
        tuple(context["factors"]), context["has_codes"], context["has_change"], context["has_links"]
    )
    paragraphs = (
        f"Le {at}, le bouton «\u00a0Ce n’est pas moi\u00a0» a fermé toutes les sessions de {context['email']}. "
        f"{removed.sentence}".rstrip(),
    )
    return NoticeText("Un compte a été repris en main", (*paragraphs, *_on_factors(context)))


def _change_undone(context: dict[str, Any], at: str) -> NoticeText:
    removed = RemovedAccess(tuple(context["factors"]), context["has_codes"])
    paragraphs = (
        f"Le {at}, le bouton «\u00a0Rétablir mon adresse\u00a0» a défait le changement d’adresse de {context['email']} "
        "et fermé toutes ses sessions.",
    )
    if removed.parts:
        paragraphs += (f"Ce qui avait été ajouté depuis la demande est retiré\u00a0: {', '.join(removed.parts)}.",)
    return NoticeText("Un changement d’adresse a été défait", (*paragraphs, *_on_factors(context)))


def _on_factors(context: dict[str, Any]) -> tuple[str, ...]:
    """What an administrator can do about the factors that were kept, and the person about those that were removed."""
    paragraphs: tuple[str, ...] = ()
    if kept := context.get("kept"):
        paragraphs += (
            kept_sentence(kept),
            f"Si ce n’est pas {context['email']} qui l’a ajouté, un autre administrateur réinitialise sa double "
            "vérification dans «\u00a0Administrateurs\u00a0».",
        )
    if context["factors"]:
        paragraphs += (
            "Un moyen de double vérification retiré qui est bien le sien peut être ajouté de nouveau dans "
            "«\u00a0Mes sessions\u00a0».",
        )
    return paragraphs


def _by(context: dict[str, Any]) -> str:
    return context["by"] or "la personne qui exploite le site"


_TEXTS: dict[SecurityNotice, Callable[[dict[str, Any], str], NoticeText]] = {
    SecurityNotice.FACTOR_ADDED: _factor_added,
    SecurityNotice.FACTOR_REMOVED: _factor_removed,
    SecurityNotice.RECOVERY_CODE_USED: _recovery_code_used,
    SecurityNotice.FACTORS_RESET: _factors_reset,
    SecurityNotice.NEW_BROWSER: _new_browser,
    SecurityNotice.ADMIN_ADDED: _admin_added,
    SecurityNotice.ADMIN_REMOVED: _admin_removed,
    SecurityNotice.CHANGE_ASKED: _change_asked,
    SecurityNotice.ADDRESS_CHANGED: _address_changed,
    SecurityNotice.TAKEN_BACK: _taken_back,
    SecurityNotice.CHANGE_UNDONE: _change_undone,
}
