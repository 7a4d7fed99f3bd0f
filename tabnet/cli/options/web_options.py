"""The options of `tabnet serve` for HTTP: ports, host names, and allowed origins."""

from __future__ import annotations

import argparse
import ipaddress
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tabnet.cli.options.server_options import add_port, port
from tabnet.server.net.certificate import Identity

if TYPE_CHECKING:
    from tabnet.dialects.web.machine_names import MachineNames
    from tabnet.dialects.web.request_checks import Network, Origin, RequestRules
    from tabnet.protocol.fields import Clock
    from tabnet.server.net.ports import PortSettings


def configure_web(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--http-host", default="127.0.0.1", help="address for HTTP (%(default)s)")
    add_port(group, "--http-port", 8008, "HTTP")
    group.add_argument(
        "--no-http",
        dest="http_port",
        action="store_const",
        const=None,
        help="do not open the HTTP port",
    )
    group.add_argument(
        "--https-port",
        type=port,
        metavar="PORT",
        help="also open a port for HTTPS, on --host (none)",
    )
    group.add_argument(
        "--metrics-port",
        type=port,
        metavar="PORT",
        help="serve /metrics on a port of its own, without any other port (none)",
    )
    group.add_argument(
        "--metrics-host", default="127.0.0.1", help="address for --metrics-port (%(default)s)"
    )
    group.add_argument(
        "--trusted-proxy",
        type=parse_network,
        metavar="ADDRESS",
        action="append",
        default=[],
        help="the address or network of your proxy: limits then apply to the client in its"
        " X-Forwarded-For; may be repeated",
    )
    group.add_argument(
        "--http-name",
        type=parse_host_name,
        metavar="NAME",
        action="append",
        default=[],
        help="a host name of this server, besides those of the machine and of the certificate;"
        " may be repeated",
    )
    group.add_argument(
        "--allow-origin",
        type=parse_page_origin,
        metavar="ORIGIN",
        action="append",
        default=[],
        help="let web pages of another origin, like https://example.org, use the native paths;"
        " may be repeated",
    )


def parse_network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        text = f"{text!r} is neither an address, like 192.0.2.1, nor a network, like 192.0.2.0/24"
        raise argparse.ArgumentTypeError(text) from None


def parse_host_name(text: str) -> str:
    from tabnet.dialects.web.request_checks import parse_host_name

    try:
        return parse_host_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse_page_origin(text: str) -> Origin:
    from tabnet.dialects.web.request_checks import parse_allowed_origin

    try:
        return parse_allowed_origin(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def list_web_ports(
    args: argparse.Namespace, rules: Callable[[], RequestRules], rooms_clock: Clock
) -> list[PortSettings]:
    """Return the ports of HTTP."""
    from tabnet.dialects.web.http_server import Web
    from tabnet.dialects.web.operator_paths import MetricsPort
    from tabnet.server.net.ports import PortSettings

    metrics = MetricsPort.SHARED if args.metrics_port is None else MetricsPort.OTHER
    web = partial(Web, proxies=args.trusted_proxy, rules=rules)
    pages = partial(web, metrics=metrics, rooms_clock=rooms_clock)
    ports = []
    if args.http_port is not None:
        ports.append(PortSettings("http", args.http_host, args.http_port, pages))
    if args.https_port is not None:
        secure = partial(pages, scheme="https")
        ports.append(PortSettings("https", args.host, args.https_port, secure, is_tls=True))
    if args.metrics_port is not None:
        own = partial(web, files={}, metrics=MetricsPort.OWN)
        ports.append(
            PortSettings(
                "metrics", args.metrics_host, args.metrics_port, own, carries_passwords=False
            )
        )
    return ports


def make_request_rules(
    args: argparse.Namespace, identity: Identity, machine: MachineNames
) -> RequestRules:
    """Return the host names and the origins that are accepted now."""
    from tabnet.dialects.web.request_checks import RequestRules

    return RequestRules(machine.names | identity.names, args.http_name, args.allow_origin)
