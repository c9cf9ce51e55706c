"""Texts about the companies and members of the fictional club, by activity domain."""

from dataclasses import dataclass

from clubapp.models import DOMAINS


@dataclass(frozen=True)
class DemoTrade:
    """One activity domain: its companies, and the words its people use.

    A company is its name, its town, and which of `activities` is its own.
    """

    companies: tuple[tuple[str, str, int], ...]
    activities: tuple[str, ...]
    pitches: tuple[str, ...]
    services: tuple[str, ...]
    expertise: tuple[str, ...]
    certifications: tuple[str, ...]


_LOGISTICS = DemoTrade(
    companies=(
        ("Fret des Deux-Phares", "Calais", 0),
        ("Messagerie Bonne-Escale", "Valenciennes", 0),
        ("Quai Douze Logistique", "Dunkerque", 1),
        ("Transports Houblon & Fils", "Bailleul", 0),
        ("La Bourriche Express", "Boulogne-sur-Mer", 2),
        ("Entrepôts Blé-Lune", "Seclin", 1),
        ("Gabare & Compagnie", "Lille", 2),
    ),
    activities=(
        "{name} transporte des marchandises palettisées entre les ports du littoral et l’arrière-pays.",
        "{name} stocke, prépare et expédie les commandes de fabricants régionaux, du colis à la palette.",
        "{name} organise le dernier kilomètre dans les centres-villes, à vélo-cargo et en camionnette électrique.",
    ),
    pitches=(
        "J’organise les tournées de quarante conducteurs, avec une obsession\u00a0: la promesse tenue au client final.",
        "J’aide les industriels à mieux stocker, à moins transporter et à suivre chaque palette.",
        "Je bâtis des plans de transport qui tiennent aussi les jours de brouillard et de grève.",
        "Je relie le fleuve, le rail et la route pour les entreprises qui veulent réduire leurs émissions.",
    ),
    services=(
        "Messagerie régionale", "Affrètement", "Stockage sous température dirigée", "Préparation de commandes",
        "Livraison urbaine décarbonée", "Déclarations en douane",
    ),
    expertise=("Plan de transport", "Gestion d’entrepôt", "Douane", "Flux tendus", "Transport fluvial"),
    certifications=("ISO 9001", "Objectif CO2", "OEA"),
)  # fmt: skip

_BUILDING = DemoTrade(
    companies=(
        ("Brique & Chevron", "Roubaix", 0),
        ("Toitures Pluie-Battante", "Saint-Pol-sur-Ternoise", 2),
        ("Maçonnerie Trois-Mortiers", "Étaples", 1),
        ("Les Compagnons du Houdoir", "Douai", 0),
        ("Électricité Étincelle & Filles", "Lens", 1),
        ("Isolation Laine & Chènevis", "Béthune", 2),
        ("Charpentes Sylvabelle", "Montreuil", 2),
    ),
    activities=(
        "{name} rénove des maisons de maître et des corons, dans le respect de la brique et des joints à la chaux.",
        "{name} construit et agrandit des bâtiments d’activité, de l’étude de sol à la remise des clés.",
        "{name} isole, couvre et étanche les toitures, avec des matériaux biosourcés produits dans la région.",
    ),
    pitches=(
        "Je conduis des chantiers de rénovation où l’on se parle avant de casser.",
        "Je remets d’aplomb des façades que l’on croyait perdues, et je forme des apprentis à le faire.",
        "J’accompagne les entreprises qui agrandissent leurs ateliers sans arrêter la production.",
        "Je chiffre juste, je tiens les délais et je rappelle quand quelque chose change.",
    ),
    services=(
        "Gros œuvre", "Rénovation énergétique", "Couverture et zinguerie", "Électricité générale",
        "Charpente bois", "Étanchéité",
    ),
    expertise=("Brique ancienne", "Bâtiment basse consommation", "Conduite de chantier", "Bois", "Amiante"),
    certifications=("RGE", "Qualibat", "Handibat"),
)  # fmt: skip

_DESIGN = DemoTrade(
    companies=(
        ("Atelier Lin & Lumière", "Armentières", 0),
        ("Cour Intérieure", "Arras", 0),
        ("Jardins Ortie-Blanche", "Hazebrouck", 2),
        ("Agencement Le Rabot Bleu", "Tourcoing", 1),
        ("Enseignes Clair-Signal", "Wasquehal", 0),
        ("Mobilier Deux Tréteaux", "Cambrai", 1),
        ("Verrières Aubeclair", "Saint-Omer", 1),
    ),
    activities=(
        "{name} dessine et aménage des bureaux, des boutiques et des lieux d’accueil, du plan au dernier luminaire.",
        "{name} fabrique dans son atelier du mobilier sur mesure pour les commerces et les hôtels.",
        "{name} crée des jardins d’entreprise sobres en eau, où l’on a envie de déjeuner.",
    ),
    pitches=(
        "Je transforme des plateaux tristes en lieux où les équipes reviennent avec plaisir.",
        "Je dessine avec ceux qui occuperont les lieux\u00a0: c’est plus long au début et bien plus court ensuite.",
        "Je conçois des vitrines qui arrêtent le passant sans crier.",
        "Je marie le bois, le lin et la lumière du Nord dans des projets à taille humaine.",
    ),
    services=(
        "Architecture intérieure", "Agencement de magasins", "Mobilier sur mesure", "Paysage et jardins",
        "Enseignes et signalétique", "Éclairage",
    ),
    expertise=("Espaces de travail", "Ébénisterie", "Signalétique", "Acoustique", "Accessibilité"),
    certifications=("PEFC", "Entreprise du patrimoine vivant", "OPQAI"),
)  # fmt: skip

_CLEANING = DemoTrade(
    companies=(
        ("Propreté Aubépine", "Villeneuve-d’Ascq", 0),
        ("Netteté & Co", "Carvin", 0),
        ("Maintenance Trois Clochers", "Hénin-Beaumont", 1),
        ("Blanc-Drap Services", "Marcq-en-Barœul", 0),
        ("Vitrerie Haute-Vue", "Bruay-la-Buissière", 2),
        ("Eaux Claires Entretien", "Saint-Amand-les-Eaux", 1),
        ("Multitechnique Sainte-Rouette", "Maubeuge", 1),
    ),
    activities=(
        "{name} entretient bureaux, ateliers et copropriétés avec des équipes salariées, formées et fidèles.",
        "{name} assure la maintenance des bâtiments\u00a0: chauffage, ventilation, plomberie et petits travaux.",
        "{name} nettoie vitres, façades et panneaux solaires, même là où l’échelle ne va pas.",
    ),
    pitches=(
        "Je crois qu’un bureau propre le matin est une affaire de respect, et d’horaires de jour.",
        "Je dépanne vite, j’explique ce que j’ai trouvé et j’évite que cela recommence.",
        "J’anime une équipe de soixante agents dont la moitié a plus de dix ans de maison.",
        "Je planifie l’entretien des bâtiments pour que personne n’ait à y penser.",
    ),
    services=(
        "Entretien de bureaux", "Vitrerie", "Maintenance multitechnique", "Espaces verts", "Remise en état",
        "Désinfection",
    ),
    expertise=("Travail en journée", "Produits écologiques", "Chauffage et ventilation", "Travaux en hauteur"),
    certifications=("Écolabel européen", "ISO 14001", "Qualipropre"),
)  # fmt: skip

_SAFETY = DemoTrade(
    companies=(
        ("Vigie du Grand-Clocher", "Lille", 1),
        ("Prévention Bon-Pied", "Denain", 0),
        ("Bureau Mesure Juste", "Valenciennes", 2),
        ("Le Carillon Alarme", "Bergues", 1),
        ("Qualité Pas de Géant", "Douai", 0),
        ("Extincteurs Salamandre", "Béthune", 1),
        ("Œil de Lynx Contrôles", "Dunkerque", 2),
    ),
    activities=(
        "{name} évalue les risques professionnels et bâtit avec les équipes des plans de prévention applicables.",
        "{name} installe et surveille alarmes, contrôles d’accès et caméras pour les sites sensibles.",
        "{name} contrôle, étalonne et certifie les équipements de production et de levage.",
    ),
    pitches=(
        "Je rends la sécurité concrète\u00a0: moins de classeurs, plus de gestes justes.",
        "J’accompagne les dirigeants jusqu’à la certification, puis surtout l’année d’après.",
        "Je mesure, je vérifie et je dis les choses telles qu’elles sont.",
        "Je protège des sites industriels sans gêner ceux qui y travaillent.",
    ),
    services=(
        "Document unique", "Audit qualité", "Vidéosurveillance", "Sécurité incendie", "Contrôles réglementaires",
        "Formation aux gestes et postures",
    ),
    expertise=("Prévention des risques", "ISO 45001", "Incendie", "Métrologie", "Contrôle d’accès"),
    certifications=("APSAD", "ISO 45001", "COFRAC"),
)  # fmt: skip

_TRAINING = DemoTrade(
    companies=(
        ("La Craie & le Cap", "Boulogne-sur-Mer", 0),
        ("Cabinet Moulin & Marée", "Lille", 1),
        ("École des Métiers Vent-Debout", "Calais", 0),
        ("Cabinet Les Quatre Moulins", "Arras", 1),
        ("Les Trois Boussoles", "Roubaix", 2),
        ("Comptes & Carillons", "Cambrai", 1),
        ("Le Parloir des Équipes", "Lens", 2),
    ),
    activities=(
        "{name} forme les équipes commerciales et les managers, sur le terrain et dans leur langage.",
        "{name} conseille les dirigeants dans leurs choix de gestion, de transmission et de croissance.",
        "{name} aide les entreprises à recruter, à intégrer et à garder leurs salariés.",
    ),
    pitches=(
        "J’entraîne des équipes commerciales qui n’aiment pas le mot «\u00a0vente\u00a0» "
        "et qui finissent par y prendre goût.",
        "Je traduis les chiffres en décisions, et les décisions en calendrier.",
        "J’aide les familles d’entrepreneurs à transmettre sans se fâcher.",
        "Je recrute lentement pour que l’on reste longtemps.",
    ),
    services=(
        "Formation commerciale", "Expertise comptable", "Conseil en transmission", "Recrutement", "Coaching d’équipe",
        "Bilan de compétences",
    ),
    expertise=("Stratégie commerciale", "Transmission d’entreprise", "Management", "Fiscalité", "Prise de parole"),
    certifications=("Qualiopi", "Ordre des experts-comptables", "ICF"),
)  # fmt: skip

_DIGITAL = DemoTrade(
    companies=(
        ("Pixel du Beffroi", "Lille", 0),
        ("Agence Mot pour Mot", "Arras", 1),
        ("Studio Marée Basse", "Étaples", 1),
        ("Octets & Terrils", "Lens", 0),
        ("Les Données de la Fosse Neuve", "Denain", 0),
        ("Imprimerie Encre de Scarpe", "Douai", 1),
        ("Réseaux Cinq Clochers", "Tourcoing", 2),
    ),
    activities=(
        "{name} conçoit des sites et des applications métier que les équipes comprennent sans mode d’emploi.",
        "{name} raconte les entreprises d’ici\u00a0: identité, textes, photographies et films courts.",
        "{name} héberge, sauvegarde et protège les systèmes d’information des PME de la région.",
    ),
    pitches=(
        "J’automatise ce qui fatigue, et je laisse aux humains ce qui compte.",
        "Je trouve les mots qui manquent aux entreprises qui savent faire mais n’osent pas dire.",
        "Je remets de l’ordre dans les données avant de parler d’intelligence artificielle.",
        "Je protège les PME contre les pannes et les pirates, avec des sauvegardes que l’on teste vraiment.",
    ),
    services=(
        "Création de sites", "Identité visuelle", "Infogérance", "Cybersécurité", "Rédaction", "Impression",
    ),
    expertise=("Automatisation", "Référencement", "Analyse de données", "Film d’entreprise", "Sauvegarde"),
    certifications=("ExpertCyber", "Imprim’Vert", "ISO 27001"),
)  # fmt: skip

TRADES: dict[str, DemoTrade] = dict(
    zip(DOMAINS, (_LOGISTICS, _BUILDING, _DESIGN, _CLEANING, _SAFETY, _TRAINING, _DIGITAL), strict=True)
)

ROOTS = (
    "Installée à {city} depuis {year}, la maison emploie des gens du pays et les forme.",
    "Née à {city} en {year}, l’entreprise est restée familiale et fière de son métier.",
    "Depuis {city}, les équipes interviennent dans tout le Nord et le Pas-de-Calais, et jusqu’en Belgique.",
    "Un seul interlocuteur suit chaque client, du premier appel à {city} jusqu’au service rendu.",
)

CLOSINGS = (
    "Au club, je cherche des échanges francs et des partenaires de confiance.",
    "J’ai rejoint le réseau pour rencontrer des dirigeants qui partagent leurs réussites comme leurs ratés.",
    "Ce que j’aime ici\u00a0: on se recommande parce que l’on se connaît.",
    "Disponible pour un café, à {city} ou ailleurs dans la région.",
    "Je fais volontiers visiter nos locaux aux membres du club.",
)

# (masculine, feminine)
ROLES = (
    ("Dirigeant", "Dirigeante"),
    ("Gérant", "Gérante"),
    ("Directeur général", "Directrice générale"),
    ("Directeur commercial", "Directrice commerciale"),
    ("Responsable développement", "Responsable développement"),
    ("Associé fondateur", "Associée fondatrice"),
    ("Chargé d’affaires", "Chargée d’affaires"),
    ("Président", "Présidente"),
)
LONG_ROLE = (
    "Directeur adjoint du développement commercial, des partenariats et de l’innovation pour les Hauts-de-France",
    "Directrice adjointe du développement commercial, des partenariats et de l’innovation pour les Hauts-de-France",
)
