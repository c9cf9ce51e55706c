"""Network addresses of clients, as limits count them."""

from ipaddress import IPv6Address, ip_address, ip_network


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
