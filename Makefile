# Every target is a line or a script that also runs without make. `make help` lists them.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3; do \
	command -v $$name >/dev/null && $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$name && break; done)

.DEFAULT_GOAL := help
.PHONY: run test build dev check soak bench lock help

run: $(VENV)/.runtime ## Installe, compile, migre, charge le club de démonstration et sert le site
	@CLUB_DEMO=$${CLUB_DEMO:-1} exec $(BIN)/python -m clubapp serve

build: $(VENV)/.runtime ## Installe et compile l'interface, sans rien démarrer
	$(BIN)/python -m clubapp build

test: $(VENV)/.dev ## Tous les tests, navigateur compris
	$(BIN)/python -m clubapp build
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n $${CLUB_TEST_JOBS:-$$(( $$(getconf _NPROCESSORS_ONLN) * 3 / 2 ))} --dist loadfile --no-loadscope-reorder --durations=10

dev: $(VENV)/.dev ## Sert le site et le recharge à chaque changement
	@CLUB_DEMO=$${CLUB_DEMO:-1} $(BIN)/watchfiles --filter python '$(BIN)/python -m clubapp serve' clubapp assets

check: $(VENV)/.dev ## Format, style, types, architecture, code mort, dépendances
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/deptry .
	$(BIN)/vulture
	.ci/audit $(BIN)/pip-audit $(BIN)/npm $(BIN)/python
	$(BIN)/python -m clubapp build
	$(BIN)/pytest tests/architecture

soak: $(VENV)/.dev ## Les boucles longues : arrêts brutaux, courses, pannes
	$(BIN)/python -m clubapp build
	CLUB_TEST_ROUNDS=$${CLUB_TEST_ROUNDS:-200} $(BIN)/pytest -m slow --timeout=3600

bench: $(VENV)/.dev ## Les mesures, chacune à côté de sa référence
	$(BIN)/python -m clubapp build
	$(BIN)/python -m bench

lock: $(VENV)/.dev ## Recalcule les versions épinglées à partir des fichiers .in
	.ci/lock $(BIN)/python

help: ## Cette liste
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

$(VENV)/.runtime: requirements.txt
	@test -n "$(PYTHON)" || { echo "Il faut Python 3.11 ou plus récent : https://www.python.org/downloads/" >&2; exit 1; }
	@echo "Installation de l'environnement Python (une fois)…"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.txt
	@echo "Installation des outils de développement (une fois)…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@
