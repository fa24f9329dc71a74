#!/usr/bin/env python3
"""Reads a site that chartpipe published: lists its charts and databases, downloads and verifies them.

It needs Python 3.11 or later and the package `cryptography`. Use it as a program (`--help`) or as a module:

    site = Site.open("https://charts.example.org/vfr", PublicKey("RWRKjMfeSoqHb…"), "state.json")
    site.download(site.find("San_Francisco"), "San_Francisco.mbtiles")
"""

import argparse
import base64
import hashlib
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEEP = "Do not trust the file; keep the one that you have"
REOPEN = "Open the site again: the publisher may have replaced the catalogue"


class ChartpipeError(Exception):
    def __init__(self, operation, reason, suggestion):
        super().__init__(f"{operation}: {reason}. {suggestion}.")


def read_text(path):
    return Path(path).read_text(errors="replace") if os.path.exists(path) else None


def read_json(text, operation, suggestion):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ChartpipeError(operation, f"it is not valid JSON ({error})", suggestion) from None
    if not isinstance(value, dict):
        raise ChartpipeError(operation, "it is not a JSON object", suggestion)
    return value


def decoded(line):
    try:
        return base64.b64decode(line, validate=True)
    except ValueError:
        return b""


class PublicKey:
    """A publisher's key in minisign's format: a `.pub` file of two lines, or its second line alone."""

    def __init__(self, text):
        raw = decoded(text.strip().split("\n")[-1].strip())
        if len(raw) != 42 or raw[:2] != b"Ed":
            raise ChartpipeError("reading the public key", "it is not a public key in minisign's format",
                                 "Use the line that starts with RW of the publisher's .pub file")
        self.id, self.key = raw[2:10], Ed25519PublicKey.from_public_bytes(raw[10:])

    def verify(self, data, text, path):
        """Verifies a `.minisig` (over the bytes or over their BLAKE2b) and its trusted comment, which it returns."""
        operation, trusted = f"verifying the signature of {path}", "trusted comment: "
        lines = [line for line in text.replace("\r\n", "\n").split("\n") if line]
        first, second = (decoded(lines[1]), decoded(lines[3])) if len(lines) == 4 else (b"", b"")
        if len(first) != 74 or len(second) != 64 or first[:2] not in (b"Ed", b"ED") or not lines[2].startswith(trusted):
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
    def open(cls, url, key, state=None):
        """Verifies the catalogue, then decodes it. The file `state` remembers the serial, so that an older one is refused."""
        if not re.match(r"https?://[^/\s]", url) or re.search(r"[\s?#]", url):
            raise ChartpipeError(f"opening {url}", "it is not the address of a site",
                                 "Use http:// or https:// and the folder of catalog.json; `chartpipe preview` serves a local site")
        url = url.rstrip("/") + "/"
        data = document(url + "catalog.json")
        sha256 = hashlib.sha256(data).hexdigest()
        comment = verify_catalog(url, data, sha256, key)
        catalog = read_json(data, f"reading {url}catalog.json", KEEP)
        if catalog.get("format") != "chartpipe-catalog-1":
            raise ChartpipeError(f"reading {url}catalog.json", f"its format is {catalog.get('format')}", "Update this program")
        if state:
            own = {"serial": catalog["serial"], "sha256": sha256}
            seen = read_state(state)
            if own["serial"] < seen["serial"] or (own["serial"] == seen["serial"] and own != seen):
                other = " with other bytes" if own["serial"] == seen["serial"] else ""
                reason = f"the catalogue has the serial {own['serial']}, but this device has seen {seen['serial']}{other}"
                raise ChartpipeError(f"opening {url}", reason, "Keep the newer catalogue")
            Path(f"{state}.new").write_text(json.dumps(own))
            os.replace(f"{state}.new", state)
        return cls(url, catalog, comment)

    def products(self, now=None):
        """The edition of each product to show: the one in force, else the last expired, else the next one."""
        def rank(product):
            return ["upcoming", "expired", "in force"].index(currency(product, now)), product["effectiveDate"]
        return {product["id"]: product for product in sorted(self.catalog["products"], key=rank)}.values()

    def find(self, name, now=None):
        for product in self.products(now):
            if name in (product["id"], product.get("region")):
                return product
        raise ChartpipeError(f"looking for {name}", "the site has no such region or product", "Use a name that list prints")

    def download(self, product, path, progress=lambda received, total: None):
        """Downloads the first file of a product. A broken download continues; the path changes only by a rename after the check."""
        file, path = product["files"][0], Path(path)
        if path.exists() and hash_of(path) == file["sha256"]:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{file['sha256'][:16]}.part")
        receive_whole(self.url + file["path"], file, part, progress)
        os.replace(part, path)


def read_state(path):
    operation, suggestion = f"reading the state file {path}", "Name another file with --state, or delete this one to start again"
    seen = read_json(read_text(path) or '{"serial": -1}', operation, suggestion)
    if not isinstance(seen.get("serial"), int):
        raise ChartpipeError(operation, "it has no serial of a catalogue", suggestion)
    return seen


def currency(product, now=None):
    now = now or datetime.now(timezone.utc)
    effective, expires = (datetime.fromisoformat(product[key]) for key in ("effectiveDate", "expirationDate"))
    return "expired" if now >= expires else "in force" if now >= effective else "upcoming"


def name_of(product):
    return product.get("region") or product["id"]


def verify_catalog(url, data, sha256, key):
    """Accepts the catalogue if one of the two files has a signature of the key. The second one belongs to these bytes."""
    refusals = []
    for path in ("catalog.json.minisig", f"signatures/{sha256}.minisig"):
        try:
            return key.verify(data, document(url + path).decode(errors="replace"), f"{url}catalog.json")
        except ChartpipeError as error:
            refusals.append(error)
    raise refusals[0]


def retried(operation, work, received=lambda: 0, attempts=5):
    """Repeats work while the network or the server fails. After a new byte all attempts are available again."""
    failed, best = 0, received()
    while True:
        try:
            return work()
        except (urllib.error.URLError, ConnectionError, TimeoutError, http.client.HTTPException) as error:
            status = getattr(error, "code", 500)
            if status < 500 and status not in (408, 429):
                raise ChartpipeError(operation, f"the server answered {status}", "Check the address, or open the site again") from None
            failed = 1 if received() > best else failed + 1
            best = max(best, received())
            if failed == attempts:
                raise ChartpipeError(operation, f"{error}; {attempts} attempts failed", "Try again later") from None
            time.sleep(2 ** (failed - 1))


def document(url):
    return retried(f"reading {url}", lambda: urllib.request.urlopen(url, timeout=60).read())


def receive_whole(url, file, part, progress):
    """Completes a partial file and verifies its hash."""
    operation = f"downloading {file['path']}"
    part.touch()
    is_joined = part.stat().st_size > 0
    while True:
        while part.stat().st_size != file["bytes"]:
            is_joined |= retried(operation, lambda: receive(url, file, part, progress, operation), lambda: part.stat().st_size)
        found = hash_of(part)
        if found == file["sha256"]:
            return
        part.write_bytes(b"")
        if not is_joined:
            raise ChartpipeError(operation, f"its SHA-256 is {found}, not {file['sha256']}", REOPEN)
        is_joined = False  # the file may have changed between two responses, so it is downloaded once more from the start


def receive(url, file, part, progress, operation):
    """Appends one response to the partial file, and returns whether it continues earlier bytes."""
    start, total = part.stat().st_size, file["bytes"]
    headers = {"Accept-Encoding": "identity"}
    if 0 < start < total:
        headers["Range"] = f"bytes={start}-{total - 1}"
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as response, open(part, "r+b") as output:
        continues = response.headers.get("Content-Range") == f"bytes {start}-{total - 1}/{total}"
        length = int(response.headers.get("Content-Length") or total)
        output.seek(start if continues else 0)
        output.truncate()
        if response.status != 200 and not continues:
            raise ConnectionError("the server did not continue the download")
        if length != total - output.tell():
            raise ChartpipeError(operation, f"the server has {length} bytes instead of {total}", REOPEN)
        while piece := response.read(1 << 16):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("site", help="the address of the folder of catalog.json")
    parser.add_argument("command", choices=["list", "download", "verify"])
    parser.add_argument("names", nargs="*", help="download: regions or products that list prints; verify: downloaded files")
    parser.add_argument("--key", required=True, help="the publisher's key: a .pub file, or its line that starts with RW")
    parser.add_argument("--state", help="remember the catalogue in this file, and refuse an older one")
    parser.add_argument("--output", "-o", type=Path, default=Path("."), help="the folder for downloads")
    arguments = parser.parse_intermixed_args()
    site = Site.open(arguments.site, PublicKey(read_text(arguments.key) or arguments.key), arguments.state)
    if arguments.command == "list":
        for product in sorted(site.products(), key=name_of):
            size, dates = product["files"][0]["bytes"] / 1_000_000, (product["effectiveDate"], product["expirationDate"])
            print(f"{name_of(product):32} {size:8.1f} MB, {currency(product)}: {' to '.join(dates)}")
    elif arguments.command == "download":
        for product in [site.find(name) for name in arguments.names]:
            path = arguments.output / (name_of(product).replace("/", ".") + Path(product["files"][0]["path"]).suffix)
            site.download(product, path)
            print(f"{path}: verified, {currency(product)}")
    else:
        print(f"{site.url}: verified, {site.comment}")
        shown = {product["files"][0]["sha256"]: product for product in site.products()}
        found = {path: shown.get(hash_of(path)) for path in arguments.names}
        for path, product in found.items():
            print(f"{path}: {name_of(product) + ', ' + currency(product) if product else 'not a file that the site shows'}")
        return int(None in found.values())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ChartpipeError as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        sys.exit(f"error: reading or writing {error.filename or 'a file'}: {reason}. Check the path and its permissions.")
