"""The report of a campaign: one document, shown as a page, as Markdown and on the console."""
