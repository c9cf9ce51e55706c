"""What the server functions take and answer, for machines (OpenAPI 3.1)."""

from typing import Any

from clubapp import routes

_ID = {"type": "string", "description": "Identifiant opaque."}
_ERRORS = {
    "400": "Le corps n’est pas du JSON.",
    "401": "Jeton absent, expiré ou inconnu.",
    "403": "Le jeton n’est pas celui d’un administrateur.",
    "404": "L’événement ou l’e-mail n’existe pas, ou n’existe plus.",
    "405": "Autre méthode que POST.",
    "409": "L’état ne le permet pas\u00a0: déjà envoyé, pas confirmé, annulé, passé, personne à qui écrire.",
    "413": "Corps de plus de 16 ko.",
    "415": "Autre type que application/json.",
    "422": "Un champ manque ou n’est pas valable.",
}


def _function(name: str, summary: str, body: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    def content(schema: dict[str, Any]) -> dict[str, Any]:
        return {"application/json": {"schema": schema}}

    refused = content({"$ref": "#/components/schemas/Error"})
    return {
        "post": {
            "operationId": name,
            "summary": summary,
            "requestBody": {"required": True, "content": content(body)},
            "responses": {
                "200": {"description": "Mis en file d’envoi.", "content": content(_object(answer, list(answer)))},
                **{code: {"description": text, "content": refused} for code, text in _ERRORS.items()},
            },
        }
    }


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


_SUCCESS = {"type": "boolean", "const": True}
_COUNT = {"type": "integer", "minimum": 0}
_PERSON = _object({"name": {"type": "string"}, "reason": {"type": "string"}}, ["name", "reason"])
_ADDRESS = {"type": "string", "format": "email"}
_TEST_OF_EVENT = _object(
    {
        "testEmail": _ADDRESS,
        "type": {"type": "string", "const": "event"},
        "eventId": _ID,
        "emailType": {"type": "string", "enum": ["invitation", "reminder_1", "reminder_2"], "default": "invitation"},
    },
    ["testEmail", "type", "eventId"],
)
_TEST_OF_BROADCAST = _object(
    {"testEmail": _ADDRESS, "type": {"type": "string", "const": "broadcast"}, "broadcastId": _ID},
    ["testEmail", "type", "broadcastId"],
)

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Fonctions du club",
        "version": "1.0.0",
        "description": "Envoyer un e-mail de test, les invitations d’un événement, un e-mail à tous les membres. "
        "Le jeton d’un administrateur vient de la commande `access-token` ou de POST /auth/token\u00a0; aucun cookie "
        "n’est accepté. Rien n’est envoyé pendant l’appel\u00a0: les messages partent par la file d’envoi.",
    },
    "servers": [{"url": "/"}],
    "security": [{"bearer": []}],
    "paths": {
        routes.SEND_TEST: _function(
            "sendTestEmail",
            "Envoyer un e-mail de test à une adresse",
            {"oneOf": [_TEST_OF_EVENT, _TEST_OF_BROADCAST]},
            {"success": _SUCCESS, "id": _ID},
        ),
        routes.SEND_INVITATIONS: _function(
            "sendEventInvitations",
            "Envoyer les invitations d’un événement à tous les membres",
            _object({"eventId": _ID, "confirm": {"type": "boolean", "default": False}}, ["eventId"]),
            {"success": _SUCCESS, "queued": _COUNT, "excluded": {"type": "array", "items": _PERSON}},
        ),
        routes.SEND_BROADCAST: _function(
            "sendBroadcastEmail",
            "Envoyer un brouillon à tous les membres actifs",
            _object({"broadcastId": _ID}, ["broadcastId"]),
            {"success": _SUCCESS, "queued": _COUNT, "excluded": _COUNT},
        ),
    },
    "components": {
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        "schemas": {
            "Error": _object({"error": {"type": "string", "description": "Une phrase en français."}}, ["error"])
        },
    },
}
