"""Network addresses of clients: as limits count them, and as people are told of them."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from babel import Locale
from iptocc import country_code

_FRENCH = Locale("fr")


def network_of(address: str) -> str:
    """The network that a client's address stands for: itself, or its whole /64 for IPv6. Empty for no address."""
    parsed = _parse(address)
    if parsed is None:
        return ""
    return str(ip_network(f"{parsed}/64", strict=False) if isinstance(parsed, IPv6Address) else parsed)


def is_loopback(address: str) -> bool:
    """Whether it is this machine: behind a proxy that does not forward addresses, it stands for every client."""
    parsed = _parse(address)
    return parsed is not None and parsed.is_loopback


def name_country(address: str) -> str:
    """The French name of the country in which an address is registered; empty for a local or unknown one.

    The registries' lists come with the package `iptocc`: nobody outside is asked.
    """
    parsed = _parse(address)
    return _FRENCH.territories.get(country_code(str(parsed)) or "", "") if parsed else ""


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    """An address; None for another text. A socket for both kinds writes those of IPv4 as IPv6, all of one /64."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed
