"""What an address of a client counts as (S6, W5)."""

import pytest

from clubapp.text.network_addresses import is_loopback, network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("unix:", ""),
        ("", ""),
    ],
)
def test_a_client_counts_by_its_address_or_its_network(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_the_loopback_is_known_however_it_is_written(address: str) -> None:
    assert is_loopback(address)
    assert not is_loopback("::ffff:192.0.2.1")
