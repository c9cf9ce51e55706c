"""The texts the club starts with (specification, section 3): plain text, one blank line between paragraphs."""

from dataclasses import dataclass

from clubapp.models import ReminderType


@dataclass(frozen=True)
class EventTemplate:
    """Subject and body of a mail about an event, with their variables."""

    subject: str
    body: str


DEFAULT_TEMPLATES: dict[ReminderType, EventTemplate] = {
    ReminderType.INVITATION: EventTemplate(
        subject="Invitation : {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour,

Nous avons le plaisir de vous inviter à notre prochaine rencontre, «\u00a0{{EVENT_TITLE}}\u00a0», \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Ce sera l'occasion de retrouver les membres du réseau, de présenter votre activité et de faire avancer vos projets.

Pour nous aider à préparer l'accueil, merci de nous dire dès maintenant si vous serez des nôtres. \
Votre réponse ne prend que quelques secondes.""",
    ),
    ReminderType.FIRST: EventTemplate(
        subject="Rendez-vous le {{EVENT_DATE}} : {{EVENT_TITLE}}",
        body="""Bonjour,

Notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0» approche : nous vous attendons le {{EVENT_DATE}} à {{EVENT_TIME}} \
({{EVENT_LOCATION}}).

Un empêchement, un invité de plus ? Vous pouvez modifier votre réponse à tout moment avec le lien ci-dessous.""",
    ),
    ReminderType.SECOND: EventTemplate(
        subject="Plus que quelques jours : {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour,

Dernier rappel avant notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0», \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Si vos plans ont changé, merci de nous le dire dès maintenant avec le lien ci-dessous : \
vous libérez ainsi une place, et un couvert, pour un autre membre.

À très bientôt.""",
    ),
}
