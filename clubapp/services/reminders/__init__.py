"""The automatic mailings: settings, recipients, dispatch, dry run, list of planned ones."""
