"""The public site besides the directory: presentation of the club, share cards, sitemap, structured data."""
