"""Network addresses of clients: as limits count them, and as people are told of them."""

from ipaddress import IPv6Address, ip_address, ip_network

from babel import Locale
from iptocc import country_code

_FRENCH = Locale("fr")


def network_of(address: str) -> str:
    """The network that a client's address stands for: itself, or its whole /64 for IPv6. Empty for no address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    return str(ip_network(f"{parsed}/64", strict=False) if isinstance(parsed, IPv6Address) else parsed)


def is_loopback(address: str) -> bool:
    """Whether it is this machine: behind a proxy that does not forward addresses, it stands for every client."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def name_country(address: str) -> str:
    """The French name of the country in which an address is registered; empty for a local or unknown one.

    The registries' lists come with the package `iptocc`: nobody outside is asked.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    plain = parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed
    return _FRENCH.territories.get(country_code(str(plain)) or "", "")
