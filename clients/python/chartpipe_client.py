#!/usr/bin/env python3
"""Reads a site that chartpipe published: lists its charts and databases, downloads and verifies them.

It needs Python 3.11 or later, and the package `cryptography` to verify signatures. Use it as a program (`--help`) or as a module:

    site = Site.open("https://charts.example.org/vfr", PublicKey("RWRKjMfeSoqHb…"), "state.json")
    site.download(site.find("San_Francisco"), "San_Francisco.mbtiles")
    live = Site.open("https://charts.example.org/vfr", PublicKey("RWRKjMfeSoqHb…"), "live-state.json", LIVE)
    print(live.snapshot("tfr/tfr"))
"""

import argparse
import base64
import contextlib
import hashlib
import http.client
import json
import os
import re
import socket
import ssl
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None  # enough to read a site without a key

KEEP = "Do not trust the file; keep the one that you have"
REOPEN = "Open the site again: the publisher may have replaced the catalogue"
FOLDER = "Check the address: it is that of the folder of catalog.json, without the name of a file"
# The signed lists of a site: products of the AIRAC cycles, and snapshots such as TFRs. Each has its own signatures and serials.
CYCLES, LIVE = "catalog.json", "live.json"
LARGEST_CATALOG, LARGEST_SIGNATURE = 4_000_000, 16_384
# The seconds that a transfer may take with all its attempts, and the bytes that earn another one.
WAIT_SECONDS = float(os.environ.get("CHARTPIPE_WAIT_SECONDS", 6))
DOCUMENT_TIME, FILE_TIME = (WAIT_SECONDS, 16_000), (WAIT_SECONDS, 2_000)
STALL_SECONDS = 10
NO_REDIRECT = "the server redirects too often, or to an address that is not one of HTTP"
# Why no response came, and the next step. The first class that matches counts.
CAUSES = (
    (socket.gaierror, "there is no such host, or no connection to the internet", "Check the address and the connection"),
    (ConnectionRefusedError, "no server listens there", "Check the address and its port"),
    (ssl.SSLCertVerificationError, "the certificate of the server is not valid for this address or this clock",
     "Check the address and the clock; the variable SSL_CERT_FILE names other authorities"),
    ((ConnectionResetError, ConnectionAbortedError, BrokenPipeError, ssl.SSLEOFError, http.client.IncompleteRead),
     "the connection broke", "Try again later"),
    (ssl.SSLError, "the server does not answer by HTTPS", "Check the address"),
    (TimeoutError, f"the server sent nothing for {STALL_SECONDS} s", "Try again later"),
    (http.client.HTTPException, "the server does not answer by HTTP", "Check the address"),
)
# A clock that is further behind a time of the publisher is wrong.
CLOCK_TOLERANCE = timedelta(minutes=5)


class ChartpipeError(Exception):
    def __init__(self, operation, reason, suggestion):
        super().__init__(f"{operation}: {reason}. {suggestion}.")


class NetworkError(ChartpipeError):
    """The network or the server failed, also after all attempts."""


class MissingError(ChartpipeError):
    """The server does not have the file."""


class IntegrityError(ChartpipeError):
    """A file has another size or hash than the catalogue says."""


def read_text(path):
    return Path(path).read_text(errors="replace") if os.path.exists(path) else None


def read_json(data, operation, suggestion):
    """Reads a JSON object. Everything that two parsers could read differently is refused, such as a repeated key."""
    try:
        text = data if isinstance(data, str) else data.decode()
        value = json.loads(text, object_pairs_hook=unique, parse_int=number, parse_float=number, parse_constant=number)
        json.dumps(value, ensure_ascii=False).encode()  # fails for an escape that is half a character
        depth = 0
        for mark in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text):
            depth += (mark[0] in "[{") - (mark[0] in "]}")
            if depth > 200:
                raise ValueError("it is nested too deeply")
    except (ValueError, RecursionError) as error:
        raise ChartpipeError(operation, f"it is not valid JSON ({error})", suggestion) from None
    if not isinstance(value, dict):
        raise ChartpipeError(operation, "it is not a JSON object", suggestion)
    return value


def unique(pairs):
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise ValueError("a key is repeated")
    return keys


def number(text):
    is_plain = re.fullmatch(r"-?(0|[1-9][0-9]{0,15})(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?", text)
    if not is_plain or abs(float(text)) > 2**53 - 1:
        raise ValueError(f"{text[:40]} is not a number that all parsers read alike")
    return float(text) if re.search("[.eE]", text) else int(text)


def is_text(value):
    return isinstance(value, str)


def is_count(value):
    return type(value) in (int, float) and value >= 0 and value == int(value)


def is_size(value):
    return is_count(value) and value <= 2**40


def is_time(value):
    with contextlib.suppress(ValueError):
        return is_text(value) and datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ") is not None


def is_hash(value):
    return is_text(value) and re.fullmatch("[0-9a-f]{64}", value)


def is_path(value):
    """Whether a path stays within the site."""
    return is_text(value) and re.fullmatch(r"[!-~]+", value) and not re.search(r"[\\:%?#]", value) \
        and not {"", ".", ".."} & set(value.split("/"))


def is_address(text):
    """Whether a text is the address of a folder that urllib can read."""
    with contextlib.suppress(ValueError):
        parts = urllib.parse.urlsplit(text)  # fails for a wrong IPv6 address, and `port` for a number that is too large
        is_plain = re.fullmatch(r"https?://[^\s/?#]+(/[!-~]*)?", text) and not re.search("[?#]", text)
        return bool(is_plain and parts.hostname and parts.hostname.encode("idna") and parts.port != 0)
    return False


def is_file_name(value):
    return is_text(value) and re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*", value)


# The keys that this client knows; those with a question mark are optional.
FILE = {"path": is_path, "sha256": is_hash, "bytes": is_size}
HELD = {"id": is_text, "reason": is_text}
CYCLE = {"id": is_text, "effective": is_time, "expires": is_time, "manifest": FILE, "held?": [HELD]}
PRODUCT = {
    "id": is_text, "kind": is_text, "name": is_text, "cycle": is_text, "edition": is_text, "format": is_text,
    "effectiveDate": is_time, "expirationDate": is_time, "files": [FILE], "fetched?": is_time,
    "region?": is_file_name, "minZoom?": is_count, "maxZoom?": is_count, "tileSize?": is_count,
}
CATALOG = {
    "serial": is_count, "products": [PRODUCT], "previous?": CYCLE, "current?": CYCLE, "next?": CYCLE,
    "replaces?": FILE, "regions?": FILE, "issued?": is_time, "expires?": is_time, "held?": [HELD],
}


def fault(value, schema, place=""):
    """Returns the place of the first value that does not conform; None if all do."""
    if callable(schema):
        return None if schema(value) else place
    if not isinstance(value, type(schema)):
        return place
    if isinstance(schema, list):
        inner = [(item, schema[0], f"{place}[{i}]") for i, item in enumerate(value)]
    else:
        keys = {key.rstrip("?"): rule for key, rule in schema.items() if key[-1] != "?" or value.get(key[:-1]) is not None}
        inner = [(value.get(key), rule, f"{place}.{key}") for key, rule in keys.items()]
    return next(filter(None, (fault(*each) for each in inner)), None)


def decoded(line):
    try:
        return base64.b64decode(line, validate=True)
    except ValueError:
        return b""


def read_catalog(data, path):
    """Decodes a catalogue whose signature was verified."""
    catalog = read_json(data, f"reading {path}", KEEP)
    if catalog.get("format") != "chartpipe-catalog-1":
        raise ChartpipeError(f"reading {path}", f"its format is {catalog.get('format')}", "Update this program")
    if place := fault(catalog, CATALOG):
        raise ChartpipeError(f"reading {path}", f"{place} is missing or has no such value", KEEP)
    return catalog


class PublicKey:
    """A publisher's key in minisign's format: the text of a `.pub` file of two lines, or its second line alone. Errors have the `name`."""

    def __init__(self, text, name=""):
        operation = f"reading the public key {name}".rstrip()
        if Ed25519PublicKey is None:
            raise ChartpipeError(operation, "Python's package cryptography is not installed",
                                 "Install it (Debian: python3-cryptography)")
        if re.search("secret key|PRIVATE KEY", text):
            raise ChartpipeError(operation, "it is a secret key", "Use the publisher's .pub file, and give the secret key to no one")
        raw = decoded(text.strip().split("\n")[-1].strip())
        if len(raw) != 42 or raw[:2] != b"Ed":
            raise ChartpipeError(operation, "it is not a public key in minisign's format",
                                 "Use the line that starts with RW of the publisher's .pub file")
        self.id, self.key = raw[2:10], Ed25519PublicKey.from_public_bytes(raw[10:])

    def verify(self, data, text, path):
        """Verifies a `.minisig` (over the bytes or over their BLAKE2b) and its trusted comment, which it returns."""
        operation, trusted = f"verifying the signature of {path}", "trusted comment: "
        lines = [line for line in text.replace("\r\n", "\n").split("\n") if line]
        first, second = (decoded(lines[1]), decoded(lines[3])) if len(lines) == 4 else (b"", b"")
        if len(first) != 74 or len(second) != 64 or first[:2] not in (b"Ed", b"ED") \
                or not lines[0].startswith("untrusted comment:") or not lines[2].startswith(trusted):
            raise ChartpipeError(operation, "the file is not a signature in minisign's format", KEEP)
        if first[2:10] != self.id:
            other, own = first[9:1:-1].hex().upper(), self.id[::-1].hex().upper()
            raise ChartpipeError(operation, f"the signature is of the key {other}, not of {own}", KEEP)
        comment = lines[2][len(trusted):]
        signed = data if first[:2] == b"Ed" else hashlib.blake2b(data).digest()
        for signature, message, reason in (
            (first[10:], signed, "the signature does not match the file"),
            (second, first[10:] + comment.encode(), "the trusted comment of the signature was changed"),
        ):
            try:
                self.key.verify(signature, message)
            except InvalidSignature:
                raise ChartpipeError(operation, reason, KEEP) from None
        return comment


class Site:
    def __init__(self, url, catalog, comment):
        self.url, self.catalog, self.comment = url, catalog, comment

    @classmethod
    def open(cls, url, key, state=None, channel=CYCLES):
        """Verifies the catalogue of a channel, then decodes it. The file `state` of the channel remembers the serial, so that an older
        one is refused. Without a key (None) nothing shows who published the site: its host must be trusted, and `comment` is None."""
        if not is_address(url):
            raise ChartpipeError(f"opening {url}", "it is not the address of a site",
                                 "Use http:// or https:// and the folder of catalog.json; `chartpipe preview` serves a local site")
        url = url.rstrip("/") + "/"
        try:
            data = document(url + channel, LARGEST_CATALOG)
        except MissingError as error:
            if channel != LIVE:
                raise
            raise MissingError(f"opening {url}", "it publishes no snapshots", "TFRs and weather are unconfirmed") from error
        sha256 = hashlib.sha256(data).hexdigest()
        comment = verify_catalog(url, data, sha256, key, channel) if key else None
        catalog = read_catalog(data, f"{url}{channel}")
        if (channel == LIVE) == any(catalog.get(role) for role in ("previous", "current", "next")):
            raise ChartpipeError(f"reading {url}{channel}", "it is a catalogue of another channel", KEEP)
        if state:
            own = {"serial": catalog["serial"], "sha256": sha256, "channel": channel}
            seen = read_state(state, channel)
            if own["serial"] < seen["serial"] or (own["serial"] == seen["serial"] and own != seen):
                other = " with other bytes" if own["serial"] == seen["serial"] else ""
                reason = f"the catalogue has the serial {own['serial']}, but this device has seen {seen['serial']}{other}"
                suggestion = f"Keep the newer catalogue. If {state} is of another publisher, name a file of its own for this site"
                raise ChartpipeError(f"opening {url}", reason, suggestion)
            Path(f"{state}.new").write_text(json.dumps(own))
            os.replace(f"{state}.new", state)
        return cls(url, catalog, comment)

    @property
    def issued(self):
        """When the publisher signed the catalogue; None where it does not state it."""
        return time_of(self.catalog.get("issued"))

    @property
    def expires(self):
        """When the publisher will have replaced the catalogue; None where it does not state it."""
        return time_of(self.catalog.get("expires"))

    def validity(self, now=None):
        """`fresh`; `expired` if there should be a newer catalogue, so warn prominently; `unknown` where the publisher does not state it."""
        if self.expires is None:
            return "unknown"
        return "fresh" if (now or datetime.now(timezone.utc)) < self.expires else "expired"

    def clock_is_behind(self, now=None):
        """Whether the clock is so far behind that expired data look current, so warn."""
        return self.issued is not None and self.issued > (now or datetime.now(timezone.utc)) + CLOCK_TOLERANCE

    def products(self, now=None):
        """The edition of each product to show: the one in force, else the last expired, else the next one."""
        def rank(product):
            state, start = currency(product, now), time_of(product["effectiveDate"]).timestamp()
            return ["upcoming", "expired", "in force"].index(state), -start if state == "upcoming" else start
        return {product["id"]: product for product in sorted(self.catalog["products"], key=rank)}.values()

    def find(self, name, now=None):
        for product in self.products(now):
            if name in (product["id"], product.get("region")):
                return product
        raise ChartpipeError(f"looking for {name}", "the site has no such region or product", "Use a name that list prints")

    def snapshot(self, id, now=None):
        """What may be said about a snapshot of the live channel: a dictionary with the state `current`, the product and its times, or
        with the state `unconfirmed` and the reason. Unconfirmed never means that there is no TFR."""
        now = now or datetime.now(timezone.utc)

        def unconfirmed(reason):
            return {"state": "unconfirmed", "reason": reason}
        product = next((each for each in reversed(self.catalog["products"]) if each["id"] == id), None)
        if self.validity(now) != "fresh":
            return unconfirmed("the list of snapshots has expired")
        if product is None:
            held = next((each for each in self.catalog.get("held") or [] if each["id"] == id), None)
            return unconfirmed(f"the publisher has none now ({held['reason']})" if held else "the site does not have it")
        observed, expires = time_of(product["effectiveDate"]), time_of(product["expirationDate"])
        fetched = time_of(product.get("fetched")) or observed
        if now < max(observed, fetched, self.issued or observed) - CLOCK_TOLERANCE:
            return unconfirmed("the clock of this device is wrong")
        if now >= expires:
            return unconfirmed("it has expired")
        age = max(now - observed, timedelta())
        return {"state": "current", "product": product, "observed": observed, "fetched": fetched, "expires": expires, "age": age}

    def download(self, product, path, progress=lambda received, total: None):
        """Downloads the first file of a product. A broken download continues; the path changes only by a rename after the check."""
        file, path = product["files"][0], Path(path)
        if path.exists() and hash_of(path) == file["sha256"]:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{file['sha256'][:16]}.part")
        try:
            receive_whole(self.url + file["path"], file, part, progress)
        except ChartpipeError as error:
            if isinstance(error, IntegrityError) or part.stat().st_size == 0:
                part.unlink()
            raise
        os.replace(part, path)


def read_state(path, channel):
    operation, suggestion = f"reading the state file {path}", "Name another file with --state, or delete this one to start again"
    seen = read_json(read_text(path) or json.dumps({"serial": -1, "channel": channel}), operation, suggestion)
    if not isinstance(seen.get("serial"), int):
        raise ChartpipeError(operation, "it has no serial of a catalogue", suggestion)
    if seen.setdefault("channel", CYCLES) != channel:
        raise ChartpipeError(operation, f"it is the state of {seen['channel']}, not of {channel}", suggestion)
    return seen


def time_of(text):
    return datetime.fromisoformat(text) if text else None


def currency(product, now=None):
    now = now or datetime.now(timezone.utc)
    effective, expires = (time_of(product[key]) for key in ("effectiveDate", "expirationDate"))
    return "expired" if now >= expires else "in force" if now >= effective else "upcoming"


def size_text(size):
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def name_of(product):
    return product.get("region") or product["id"]


def verify_catalog(url, data, sha256, key, channel):
    """Accepts the catalogue if one of the two files has a signature of the key. The second one belongs to these bytes."""
    refusals = []
    folder = "live/signatures" if channel == LIVE else "signatures"
    for path in (f"{channel}.minisig", f"{folder}/{sha256}.minisig"):
        try:
            text = document(url + path, LARGEST_SIGNATURE).decode(errors="replace")
            return key.verify(data, text, f"{url}{channel}")
        except NetworkError:
            raise
        except ChartpipeError as error:
            refusals.append(error)
    if all(isinstance(each, MissingError) for each in refusals):
        raise ChartpipeError(f"opening {url}", "it has no signature of its catalogue", "A publisher with a key signs: ask the publisher, and use no file of it until then")
    raise refusals[0]


class Deadline:
    """The time for a transfer with all its attempts. A thread breaks the connection at its end: the time-out of a socket would start
    again with every byte, so a slow server could hold this program for days."""

    def __init__(self, time_and_rate):
        self.seconds, self.rate = time_and_rate
        self.began, self.received, self.sockets, self.done = time.monotonic(), 0, [], threading.Event()
        self.is_over = False

    def __enter__(self):
        threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.done.set()

    @property
    def left(self):
        return self.seconds + self.received / self.rate - (time.monotonic() - self.began)

    @property
    def reason(self):
        return f"the server is too slow: {self.received} bytes in {time.monotonic() - self.began:.1f} s"

    def watch(self):
        while not self.done.wait(max(self.left, 0)):
            if self.left <= 0:
                self.is_over = True
                for each in self.sockets:
                    with contextlib.suppress(OSError):
                        socket.socket.shutdown(each, socket.SHUT_RDWR)
                self.done.wait(0.1)  # a new connection may just begin

    def connection(self, kind):
        """A class of connections that end at the deadline."""
        def connect(own):
            kind.connect(own)
            self.sockets = [own.sock]
        return type("Watched", (kind,), {"connect": connect})

    def open(self, url, headers={}):
        handlers = Redirects, Handler(self)
        timeout = max(0.1, min(STALL_SECONDS, self.left))
        try:
            return urllib.request.build_opener(*handlers).open(urllib.request.Request(url, headers=headers), timeout=timeout)
        except ValueError:  # of a redirect: the address of the site was checked
            raise ChartpipeError(f"reading {url}", NO_REDIRECT, "Check the address") from None

    def piece(self, response):
        try:
            return response.read1(1 << 16)
        except OSError as error:  # not an error of the file that the caller writes
            raise urllib.error.URLError(error) from None

    def pieces(self, response):
        """The bytes of a response as they come. Throws if there are fewer than it has promised."""
        while piece := self.piece(response):
            self.received += len(piece)
            yield piece
        if self.is_over:  # and the end of the connection may look like the end of a response
            raise TimeoutError
        if response.length:
            raise ConnectionError(f"the connection ended {response.length} bytes early")


class Handler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    def __init__(self, deadline):
        super().__init__()
        self.deadline = deadline

    def http_open(self, request):
        return self.do_open(self.deadline.connection(http.client.HTTPConnection), request)

    def https_open(self, request):
        return self.do_open(self.deadline.connection(http.client.HTTPSConnection), request)


class Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to HTTP alone, and never from https to http."""
    max_redirections = 8

    def redirect_request(self, request, response, code, message, headers, url):
        old, new = (urllib.parse.urlsplit(each).scheme for each in (request.full_url, url))
        if new != "https" and (old, new) != ("http", "http"):
            raise ChartpipeError(f"reading {request.full_url}", f"the server redirects from {old} to {new}", "Check the address")
        response.read = lambda *count: b""  # its body may have no end
        return super().redirect_request(request, response, code, message, headers, url)


def cause_of(error):
    """Why an attempt failed, and the next step, in place of the words of urllib and the numbers of the system."""
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answered {error.code}", "Try again later"
    cause = error.reason if isinstance(getattr(error, "reason", None), Exception) else error
    for kind, reason, suggestion in CAUSES:
        if isinstance(cause, kind):
            return reason, suggestion
    text = getattr(cause, "strerror", None) or str(cause)
    return re.sub("[^ -~]", "?", text)[:200].lower(), "Try again later"  # it may contain anything that the server sent


def retried(operation, deadline, work, received=lambda: 0, refused="Check the address, or open the site again", attempts=5):
    """Repeats work while the network or the server fails. After a new byte all attempts are available again. `refused` is the next step if
    the server refuses the request."""
    failed, best = 0, received()
    while True:
        try:
            return work()
        except (urllib.error.URLError, ConnectionError, TimeoutError, ssl.SSLError, http.client.HTTPException) as error:
            status = getattr(error, "code", 500)
            if status < 500 and status not in (408, 429):
                reason = NO_REDIRECT if 300 <= status < 400 else f"the server answered {status}"
                kind = MissingError if status == 404 else ChartpipeError
                raise kind(operation, reason, refused) from None
            if deadline.left <= 0:
                raise NetworkError(operation, deadline.reason, "Try again later") from None
            failed = 1 if received() > best else failed + 1
            best = max(best, received())
            if failed == attempts:
                reason, suggestion = cause_of(error)
                raise NetworkError(operation, f"{reason}; {attempts} attempts failed", suggestion) from None
            time.sleep(min(2 ** (failed - 1), deadline.left / 2))


def document(url, limit):
    """Reads a small file, as when a site is opened."""
    operation = f"reading {url}"

    def work():
        data = b""
        with deadline.open(url) as response:
            for piece in deadline.pieces(response):
                data += piece
                if len(data) > limit:
                    raise ChartpipeError(operation, f"it has more than {limit} bytes", KEEP)
        return data

    with Deadline(DOCUMENT_TIME) as deadline:
        return retried(operation, deadline, work, refused=FOLDER)


def receive_whole(url, file, part, progress):
    """Completes a partial file and verifies its hash."""
    operation = f"downloading {url}"
    part.touch()
    is_joined = part.stat().st_size > 0
    while True:
        with Deadline(FILE_TIME) as deadline:
            while part.stat().st_size != file["bytes"]:
                is_joined |= retried(
                    operation, deadline, lambda: receive(url, file, part, progress, operation, deadline), lambda: part.stat().st_size)
        found = hash_of(part)
        if found == file["sha256"]:
            return
        part.write_bytes(b"")
        if not is_joined:
            raise IntegrityError(operation, f"its SHA-256 is {found}, not {file['sha256']}", REOPEN)
        is_joined = False  # the file may have changed between two responses, so it is downloaded once more from the start


def receive(url, file, part, progress, operation, deadline):
    """Appends one response to the partial file, and returns whether it continues earlier bytes."""
    start, total = part.stat().st_size, file["bytes"]
    headers = {"Accept-Encoding": "identity"}
    if 0 < start < total:
        headers["Range"] = f"bytes={start}-{total - 1}"
    with deadline.open(url, headers) as response, open(part, "r+b") as output:
        continues = response.headers.get("Content-Range") == f"bytes {start}-{total - 1}/{total}"
        output.seek(start if continues else 0)
        output.truncate()
        if response.status != 200 and not continues:
            raise ConnectionError("the server did not continue the download")
        if response.length is not None and response.length != total - output.tell():
            raise IntegrityError(operation, f"the server has {response.length} bytes instead of {total}", REOPEN)
        for piece in deadline.pieces(response):
            if output.tell() + len(piece) > total:
                raise IntegrityError(operation, f"the server sends more than its {total} bytes", REOPEN)
            output.write(piece)
            progress(output.tell(), total)
        output.flush()
        os.fsync(output.fileno())
        if output.tell() < total:
            raise ConnectionError(f"the connection ended after {output.tell()} of {total} bytes")
    return continues


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def matches(product, parts):
    return not parts or any(part.lower().replace(" ", "_") in f"{name_of(product)} {product['id']}".lower() for part in parts)


def listed(site, parts):
    """The products whose names contain one of some texts, in the order of their names; all of them without such a text."""
    found = [each for each in sorted(site.products(), key=name_of) if matches(each, parts)]
    if parts and not found and not held(site, parts):
        raise ChartpipeError(f"listing {', '.join(parts)}", "no region or product has such a name", "Use list without a name to see all")
    return found


def coming(site, product):
    """What `list` prints of the editions of a product that take effect later."""
    editions = {each["effectiveDate"]: each for each in site.catalog["products"]
                if each["id"] == product["id"] and each is not product and currency(each) == "upcoming"}
    return "".join(f"; {each['cycle']} from {start}" for start, each in sorted(editions.items()))


def held(site, parts):
    """What `list` prints of the editions that are held back, if they are later than those to show."""
    cycles = filter(None, (site.catalog.get(role) for role in ("previous", "current", "next")))
    shown = {product["id"]: product["cycle"] for product in site.products()}
    return [f"{each['id']}: {cycle['id']} is held back ({each['reason']})" for cycle in cycles for each in cycle.get("held") or []
            if shown.get(each["id"], "") < cycle["id"] and matches(each, parts)]


def by_hash(products):
    return {file["sha256"]: product for product in products for file in product["files"]}


def verdict(sha256, shown, all_editions):
    """What `verify` prints of a file with a hash."""
    if sha256 is None:
        return "there is no such file"
    product = shown.get(sha256) or all_editions.get(sha256)
    if product is None:
        return "not a file that the site shows: it is damaged, or of an edition that the site has no longer. Download it again"
    text = f"{name_of(product)}, {currency(product)}"
    if sha256 in shown:
        return text
    return f"{text}: the site shows another edition. {'Keep it for later' if currency(product) == 'upcoming' else 'Download that one'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("site", help="the address of the folder of catalog.json")
    parser.add_argument("command", choices=["list", "download", "verify", "snapshots"])
    parser.add_argument("names", nargs="*", help="list: print only those whose names contain one of these; download: regions or"
                                                 " products that list prints; verify: downloaded files")
    parser.add_argument("--key", help="the publisher's key: a .pub file, or its line that starts with RW; without it the signature"
                                      " is not verified")
    parser.add_argument("--state", help="remember the catalogue in this file, and refuse an older one")
    parser.add_argument("--output", "-o", type=Path, default=Path("."), help="the folder for downloads")
    arguments = parser.parse_intermixed_args()
    channel = LIVE if arguments.command == "snapshots" else CYCLES
    if arguments.command == "download" and not arguments.names:
        parser.error("name what to download; `list` prints the names")
    text = arguments.key and read_text(arguments.key)
    if arguments.key and not text and not arguments.key.startswith("RW"):
        raise ChartpipeError(f"reading the public key {arguments.key}", "there is no such file", "Name the publisher's .pub file, or give its line that starts with RW")
    key = PublicKey(text or arguments.key, arguments.key if text else "") if arguments.key else None
    if key is None:
        print(f"warning: without --key the signature of {arguments.site} is not verified: anyone who controls the host or the way to it"
              " can change the catalogue and its files", file=sys.stderr)
    site = Site.open(arguments.site, key, arguments.state, channel)
    if channel == LIVE:
        for id in sorted({each["id"] for each in site.catalog["products"] + (site.catalog.get("held") or [])}):
            found = site.snapshot(id)
            print(f"{id}: {found['state']}, {found.get('reason') or 'observed ' + found['product']['effectiveDate']}")
        return 0
    if site.validity() == "expired":
        print(f"warning: the catalogue expired at {site.catalog['expires']}: there should be a newer one", file=sys.stderr)
    if site.clock_is_behind():
        print(f"warning: the catalogue was issued at {site.catalog['issued']}, which is later than the clock of this device: it is behind,"
              " and what has expired can look as if it were in force. Set the clock", file=sys.stderr)
    if arguments.command == "list":
        for product in listed(site, arguments.names):
            size, dates = size_text(product["files"][0]["bytes"]), (product["effectiveDate"], product["expirationDate"])
            print(f"{name_of(product):32} {size:>10}, {currency(product)}: {' to '.join(dates)}{coming(site, product)}")
        for line in held(site, arguments.names):
            print(line)
    elif arguments.command == "download":
        for product in [site.find(name) for name in arguments.names]:
            path = arguments.output / (name_of(product).replace("/", ".") + Path(product["files"][0]["path"]).suffix)
            site.download(product, path)
            print(f"{path}: {'verified' if key else 'as the unverified catalogue lists it'}, {currency(product)}")
            others = len({file["path"] for file in product["files"]}) - 1
            if others:
                print(f"{name_of(product)} has {others} more {'file' if others == 1 else 'files'}, which `files` in catalog.json lists")
    else:
        print(f"{site.url}: verified, {site.comment}" if key else f"{site.url}: signature not verified")
        shown, all_editions = (by_hash(products) for products in (site.products(), site.catalog["products"]))
        hashes = {path: hash_of(path) if Path(path).is_file() else None for path in arguments.names}
        for path, sha256 in hashes.items():
            print(f"{path}: {verdict(sha256, shown, all_editions)}")
        return int(any(sha256 not in shown for sha256 in hashes.values()))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ChartpipeError as error:
        sys.exit(f"error: {error}")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of a list has read enough
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        sys.exit(f"error: reading or writing {error.filename or 'a file'}: {reason}. Check the path and its permissions.")
