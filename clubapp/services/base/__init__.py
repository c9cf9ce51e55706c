"""Shared by all services: actors, form fields, edit conflicts, pagination, search, table files, audit trail."""
