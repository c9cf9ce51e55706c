"""The automatic mails: settings, recipients, dispatch, dry run, what is to come."""
