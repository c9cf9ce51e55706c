"""Help and wrong calls of the command line, in French: Typer writes them in English, with nothing to translate by."""

import re

from typer._click.exceptions import ClickException, NoArgsIsHelpError, UsageError
from typer._click.formatting import HelpFormatter

_SUGGESTION = r"(?: Did you mean '(?P<near>.+?)'\?| \(Possible options?: (?P<near_option>.+)\)| .*)?"
_SENTENCES = (
    (r"Missing (?:argument|option|parameter) '?(?P<name>.+?)'?\.", "il manque {name}"),
    (r"Missing command\.", "il manque une commande"),
    (r"No such command '(?P<name>.+?)'\." + _SUGGESTION, "commande inconnue\u00a0: {name}"),
    (r"No such option:? '?(?P<name>[^\s'.]+)'?\.?" + _SUGGESTION, "option inconnue\u00a0: {name}"),
    (r"Option '(?P<name>.+?)' requires .*", "l’option {name} demande une valeur"),
    (r"Option '(?P<name>.+?)' does not take a value\.?", "l’option {name} ne prend pas de valeur"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((?P<name>.*)\)", "de trop\u00a0: {name}"),
    (r"Invalid value for '?(?P<name>[^:']+)'?: (?P<why>.*)", "{name}\u00a0: {why}"),
)
_REASONS = (
    (r"Input should be a valid integer.*", "attendu\u00a0: un nombre entier"),
    (r"Input should be greater than or equal to (?P<least>\S+)", "attendu\u00a0: au moins {least}"),
    (r"Input should be less than or equal to (?P<most>\S+)", "attendu\u00a0: au plus {most}"),
)
# In a help page: what stands around our own words.
_HELP = (
    (r"^Usage: ", "Usage\u00a0: "),
    (r"^(Options|Arguments):$", "\\1\u00a0:"),
    (r"^Commands:$", "Commandes\u00a0:"),
    (r"COMMAND \[ARGS\]\.\.\.", "COMMANDE [ARGUMENTS]…"),
    (r"Show this message and exit\.", "Affiche cette aide, et s’arrête."),
    (r"\[required\]", "[obligatoire]"),
    (r"\[default: ", "[par défaut\u00a0: "),
    (r"<int range>", "<n>        "),  # as wide, for the columns
    (r"<int>", "<n>  "),
    (r"<str>", "<mot>"),
    (r"<path>", "<chemin>"),
)
UNKNOWN = "cet appel n’est pas compris"


class FrenchHelp(HelpFormatter):
    """Writes help pages, and the line that says how a command is called."""

    def getvalue(self) -> str:
        """The page."""
        page = super().getvalue()
        for pattern, words in _HELP:
            page = re.sub(pattern, words, page, flags=re.MULTILINE)
        return page


def describe(error: ClickException) -> str:
    """What is printed: the usage of the command, where its help is, and what is wrong."""
    if isinstance(error, NoArgsIsHelpError):
        return error.format_message()
    lines = []
    if isinstance(error, UsageError) and error.ctx is not None:
        lines = [error.ctx.get_usage(), f"Aide\u00a0: «\u00a0{error.ctx.command_path} --help\u00a0»", ""]
    return "\n".join([*lines, f"Erreur\u00a0: {_translate(error.format_message())}"])


def _translate(message: str) -> str:
    for pattern, sentence in _SENTENCES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            parts = {name: value or "" for name, value in found.groupdict().items()}
            if "why" in parts:
                parts["why"] = _translate_reason(parts["why"])
            near = parts.get("near") or parts.get("near_option")
            return sentence.format(**parts) + (f"\u00a0; vouliez-vous dire {near}\u00a0?" if near else ".")
    return f"{UNKNOWN}."


def _translate_reason(reason: str) -> str:
    """Reasons of our own are French already."""
    for pattern, sentence in _REASONS:
        if found := re.fullmatch(pattern, reason, re.DOTALL):
            return sentence.format(**found.groupdict())
    return reason
