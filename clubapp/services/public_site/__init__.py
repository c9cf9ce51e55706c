"""What the public pages say beside the directory: the club, share cards, sitemap, data for machines."""
