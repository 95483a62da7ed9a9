"""Tests reach no other machine."""

from __future__ import annotations

import socket

import pytest
from pytest_socket import SocketConnectBlockedError


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
def test_connections_leave_this_machine_never() -> None:
    with pytest.raises(SocketConnectBlockedError), socket.socket() as connection:
        connection.connect(("192.0.2.1", 9))  # an address reserved for documentation


def test_loopback_is_open() -> None:
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        client.connect(server.getsockname())
        assert client.getpeername() == server.getsockname()
