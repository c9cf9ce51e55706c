"""The built-in texts and timing of an event's mails: plain text, a blank line between paragraphs.

Date, place and answer buttons stand above each text; programme, speakers and signature below. They are not part of it.
"""

from dataclasses import dataclass

from clubapp.models import ReminderType


@dataclass(frozen=True)
class EventTemplate:
    """Subject and body of a mail about an event, with variables such as {{EVENT_DATE}}."""

    subject: str
    body: str


DEFAULT_TEMPLATES: dict[ReminderType, EventTemplate] = {
    ReminderType.INVITATION: EventTemplate(
        subject="Invitation\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour {{PRENOM}},

Nous avons le plaisir de vous inviter à notre prochaine rencontre, «\u00a0{{EVENT_TITLE}}\u00a0», \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Ce sera l’occasion de retrouver les membres du réseau, de présenter votre activité et de faire avancer vos projets.

Pour nous aider à préparer l’accueil, merci de nous dire dès maintenant si vous serez des nôtres. \
Votre réponse ne prend que quelques secondes.""",
    ),
    ReminderType.FIRST: EventTemplate(
        subject="Rappel\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour {{PRENOM}},

Petit rappel\u00a0: nous vous attendons à notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0», le {{EVENT_DATE}} \
à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Un empêchement, un invité de plus\u00a0? Vous pouvez modifier votre réponse \
avec le lien de ce message.""",
    ),
    ReminderType.SECOND: EventTemplate(
        subject="Dernier rappel\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour {{PRENOM}},

Dernier rappel avant notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0», \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Si vos plans ont changé, merci de nous le dire dès maintenant avec le lien de ce message\u00a0: \
vous libérez ainsi une place pour un autre membre.

À très bientôt.""",
    ),
}

# Proposed to whoever writes to those who came.
THANKS = EventTemplate(
    subject="Merci d’avoir été des nôtres\u00a0: {{EVENT_TITLE}}",
    body="""Bonjour {{PRENOM}},

Merci d’avoir été des nôtres le {{EVENT_DATE}}, pour «\u00a0{{EVENT_TITLE}}\u00a0». \
Votre présence et vos échanges ont fait la qualité de cette rencontre.

Si vous avez promis un contact ou une information à quelqu’un, c’est le bon moment pour les lui envoyer.

Au plaisir de vous retrouver à la prochaine rencontre.""",
)

# For those who have not answered: these texts ask for an answer.
UNANSWERED_TEMPLATES: dict[ReminderType, EventTemplate] = {
    ReminderType.FIRST: EventTemplate(
        subject="Serez-vous des nôtres\u00a0? {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour {{PRENOM}},

Notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0» aura lieu le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}), \
et nous n’avons pas encore votre réponse.

Pour nous aider à préparer l’accueil, merci de nous dire si vous viendrez. Un non est aussi utile qu’un oui, \
et vous pourrez changer d’avis.""",
    ),
    ReminderType.SECOND: EventTemplate(
        subject="Il nous manque votre réponse\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}",
        body="""Bonjour {{PRENOM}},

Notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0» a lieu dans quelques jours, \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Il est encore temps de nous dire si vous serez des nôtres\u00a0: il suffit d’un clic, et d’une confirmation sur la page.

Au plaisir de vous y retrouver.""",
    ),
}


@dataclass(frozen=True)
class Timing:
    """When one of the three mails goes out, until an administrator decides otherwise."""

    days_before: int
    is_active: bool
    to_unanswered: bool


# An administrator sends the invitations by hand; reminders go to those who come, unless the club also asks the others.
STARTING_TIMING: dict[ReminderType, Timing] = {
    ReminderType.INVITATION: Timing(days_before=30, is_active=False, to_unanswered=False),
    ReminderType.FIRST: Timing(days_before=14, is_active=True, to_unanswered=False),
    ReminderType.SECOND: Timing(days_before=7, is_active=True, to_unanswered=False),
}
