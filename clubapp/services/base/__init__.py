"""What every service builds on: who acts, form fields, lists by pages, searches, tables to take away, the audit."""
