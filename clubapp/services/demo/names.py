"""Names for the fictional club: people, streets, and real towns."""

WOMEN = (
    "Agnès", "Amina", "Anaïs", "Anne-Sophie", "Aurélie", "Béatrice", "Bérengère", "Camille", "Céline", "Charlotte",
    "Clémence", "Delphine", "Djamila", "Élise", "Éloïse", "Émilie", "Estelle", "Fatiha", "Florence", "Françoise",
    "Gaëlle", "Geneviève", "Hélène", "Inès", "Isabelle", "Jadwiga", "Joëlle", "Karima", "Katarzyna", "Laëtitia",
    "Léa", "Leïla", "Lydie", "Magdalena", "Maïté", "Marie-Noëlle", "Mathilde", "Nadège", "Nadia", "Noémie",
    "Odile", "Pascaline", "Perrine", "Rachida", "Sabine", "Salomé", "Samira", "Séverine", "Solène", "Thérèse",
    "Valérie", "Véronique", "Wanda", "Yasmina", "Zoé",
)  # fmt: skip

MEN = (
    "Adrien", "Alexis", "Arnaud", "Augustin", "Baptiste", "Benoît", "Bertrand", "Bogdan", "Cédric", "Christophe",
    "Clément", "Cyrille", "Damien", "Didier", "Édouard", "Étienne", "Fabrice", "Farid", "François-Xavier", "Frédéric",
    "Gaëtan", "Gauthier", "Geoffroy", "Grégoire", "Grégory", "Guillaume", "Hakim", "Hervé", "Jean-Baptiste",
    "Jean-François", "Jérôme", "Joël", "Kamel", "Kévin", "Laurent", "Loïc", "Ludovic", "Marek", "Matthieu",
    "Mehdi", "Mickaël", "Mourad", "Nassim", "Noël", "Olivier", "Piotr", "Quentin", "Raphaël", "Rémi", "Sébastien",
    "Sofiane", "Stanislas", "Sylvain", "Théo", "Thibaut", "Tomasz", "Valentin", "Wim", "Xavier", "Youssef",
)  # fmt: skip

SURNAMES = (
    # French and Picard
    "Beaucamp", "Bécart", "Blanquart", "Bouchart", "Boulinguez", "Cagnard", "Capliez", "Carpentier", "Caudroy",
    "Cauwet", "Coquelle", "Crépin", "Dambrine", "Debruille", "Defossez", "Delannoy", "Delattre", "Delebarre",
    "Delcroix", "Delépine", "Deleruyelle", "Deligny", "Dhénin", "Dubrulle", "Duflot", "Duhamel", "Fauquembergue",
    "Flahaut", "Fournier", "Gosselin", "Grébert", "Hénaut", "Herbaut", "Lambrecq", "Lefèbvre", "Legrain", "Lemaître",
    "Leroux-Mazy", "Macquart", "Mascaut", "Obled", "Pépin", "Pruvot", "Quéva", "Ricouart", "Sauvage", "Séneschal",
    "Tétard", "Thuilliez", "Wattrelot", "Wibaut",
    # Flemish
    "Dehaene", "Declercq", "De Smedt", "Hollebecque", "Naessens", "Plouvier", "Vandamme", "Vanhoutte", "Vanneste",
    "Verhaeghe", "Verschueren", "Vermeersch", "Wyckaert",
    # Polish
    "Budzyński", "Dudek", "Gorczak", "Kaczmarek", "Kowalczyk", "Mikołajczak", "Nowicki", "Przybylski", "Szymczak",
    "Wawrzyniak", "Wójcik", "Zieliński",
    # Maghrebi
    "Aït-Saïd", "Amrani", "Belkacem", "Benhaddou", "Bouzidi", "Chérif-Zahar", "El Kaddouri", "Hamdaoui", "Mansouri",
    "Oukaci", "Rahmouni", "Tazi", "Zerrouki",
)  # fmt: skip

# Long names, hyphens, particles, apostrophes: difficult cases for the layout.
UNUSUAL = (
    ("Marie-Charlotte", "Vandenbroucke-Delattre de la Hautière", "f"),
    ("Abdelkrim", "Ould-Hamdaoui-Benmansour", "m"),
    ("Jean-Christophe", "d’Hellemmes-Saint-Aubert", "m"),
    ("Bo", "Ly", "f"),
    ("Maria-Magdalena", "Przybyszewska-Wawrzyniak", "f"),
    ("Loïc", "L’Hôtelier", "m"),
)

POSTAL_CODES = {
    "Lille": "59000",
    "Roubaix": "59100",
    "Tourcoing": "59200",
    "Villeneuve-d’Ascq": "59650",
    "Valenciennes": "59300",
    "Douai": "59500",
    "Cambrai": "59400",
    "Dunkerque": "59140",
    "Arras": "62000",
    "Lens": "62300",
    "Béthune": "62400",
    "Saint-Omer": "62500",
    "Calais": "62100",
    "Boulogne-sur-Mer": "62200",
    "Hazebrouck": "59190",
    "Armentières": "59280",
    "Maubeuge": "59600",
    "Denain": "59220",
    "Saint-Amand-les-Eaux": "59230",
    "Bailleul": "59270",
    "Marcq-en-Barœul": "59700",
    "Wasquehal": "59290",
    "Seclin": "59113",
    "Hénin-Beaumont": "62110",
    "Carvin": "62220",
    "Bruay-la-Buissière": "62700",
    "Bergues": "59380",
    "Saint-Pol-sur-Ternoise": "62130",
    "Montreuil": "62170",
    "Étaples": "62630",
}

STREETS = (
    "rue des Tanneurs", "rue du Beffroi", "quai de l’Écluse", "rue des Brasseurs", "avenue du Port-Fluvial",
    "rue de la Filature", "boulevard des Houblonnières", "rue de l’Ancienne-Malterie", "place du Marché-aux-Toiles",
    "chemin des Peupliers", "rue du Puits-Sainte-Barbe", "allée des Dentellières", "rue des Carillonneurs",
    "zone d’activité des Trois-Moulins", "rue du Canal", "parc de la Briqueterie",
)  # fmt: skip
