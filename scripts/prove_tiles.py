"""The recipe for tiles with addresses /{z}/{x}/{y}: packaging/link-charts and packaging/tileserver with nginx. scripts/prove-serving runs it.

    prove_tiles.py SITE

SITE is the folder of a site with PMTiles. Debian has neither `pmtiles serve` nor martin, so a server of a few lines takes their place:
it answers their addresses, the first with a suffix and the second without. All servers listen on 127.0.0.1.
"""
import contextlib
import datetime
import http.server
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from pmtiles.reader import MmapSource, Reader, all_tiles

PACKAGING = pathlib.Path(__file__).resolve().parent.parent / "packaging"
failures = []


def check(description, is_right, detail=""):
    print(f"  {'ok      ' if is_right else 'FAILED  '}{description}{'' if is_right else f': {detail}'}", flush=True)
    if not is_right:
        failures.append(description)


def fetch(address):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def current_site(site, folder, days):
    """A copy of the site whose mosaics are in force for some days, and whose other charts have expired."""
    folder.mkdir(exist_ok=True)
    if not (folder / "blobs").exists():
        (folder / "blobs").symlink_to(site / "blobs")
    catalogue = json.loads((site / "catalog.json").read_text())
    for product in catalogue["products"]:
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days if "mosaic" in product["id"] else -1)
        product["expirationDate"] = end.strftime("%Y-%m-%dT%H:%M:%SZ")
    (folder / "catalog.json").write_text(json.dumps(catalogue))
    return folder


def link_charts(site, folder, *options):
    subprocess.run([PACKAGING / "link-charts", site, folder, *options], check=True, stdout=subprocess.DEVNULL)
    return sorted(path.name for path in folder.iterdir())


class TileServer(http.server.ThreadingHTTPServer):
    def __init__(self, folder, suffix):
        super().__init__(("127.0.0.1", 0), Answer)
        self.folder, self.suffix, self.count = folder, suffix, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.count += 1
        match = re.fullmatch(r"/([A-Za-z0-9_-]+)/(\d+)/(\d+)/(\d+)" + re.escape(self.server.suffix), self.path)
        path = self.server.folder / f"{match[1]}.pmtiles" if match else None
        if not path or not path.exists():
            return self.answer(404)
        with open(path, "rb") as file:
            tile = Reader(MmapSource(file)).get(*(int(match[place]) for place in (2, 3, 4)))
            self.answer(200 if tile else 204, tile or b"")

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "image/webp")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Access-Control-Allow-Origin", "https://other.example.org")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def nginx(folder, tile_server, is_martin):
    """nginx with the recipe, in which only the addresses and folders of this machine are replaced."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    text = (PACKAGING / "tileserver/nginx-tiles.conf").read_text()
    own = "127.0.0.1:3000" if is_martin else "127.0.0.1:8081"
    if is_martin:
        text = re.sub(r"(?m)^( +)server 127.0.0.1:8081;.*$", "", text).replace("# server 127", "server 127")
        text = text.replace("proxy_pass http://chartpipe_tiles/$chart/$tile.$format;", "").replace("# proxy_pass", "proxy_pass")
    for old, new in ((own, f"127.0.0.1:{tile_server.server_port}"), ("listen 80;", f"listen 127.0.0.1:{port};"), ("/var/cache/nginx", str(folder))):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; user root;\nevents {{}}\n"
        f"http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n{text}\n}}\n")
    running = subprocess.Popen(["nginx", "-e", folder / "nginx.log", "-c", folder / "nginx.conf"])
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


def prove(site, folder, is_martin):
    links, own = folder / "tiles", current_site(site, folder / "site", 10)
    names = link_charts(own, links)
    check(f"link-charts links {', '.join(names)}", names and all("mosaic" in name for name in names), names)
    name = names[0].removesuffix(".pmtiles")
    with open(links / names[0], "rb") as file:
        tiles = list(all_tiles(MmapSource(file)))
    server = TileServer(links, "" if is_martin else ".webp")
    (folder / "cache").mkdir()
    with nginx(folder / "cache", server, is_martin) as base:
        for state in ("MISS", "HIT"):
            answers = [(fetch(f"{base}/{name}/{z}/{x}/{y}.webp"), data) for (z, x, y), data in tiles]
            wrong = [answer for answer, data in answers if answer[0] != 200 or answer[2] != data or answer[1]["X-Cache-Status"] != state]
            check(f"all {len(tiles)} tiles have the archive's bytes ({state})", not wrong, wrong[:1])
        check("the tile server was asked once for each", server.count == len(tiles), server.count)
        headers = answers[0][0][1]
        check(
            "clients cache a tile for ten minutes, and pages of other origins may read it",
            headers.get_all("Cache-Control") == ["public, max-age=600"] and headers.get_all("Access-Control-Allow-Origin") == ["*"], headers)
        check("a tile outside the chart is 204", fetch(f"{base}/{name}/9/0/0.webp")[0] == 204)
        for path in ("unknown/9/0/0.webp", f"{name}.json", f"{name}/metadata", "tiles/../catalog.json", ""):
            check(f"/{path} is 404", fetch(f"{base}/{path}")[0] == 404)
        expired = current_site(site, folder / "site", -1)
        then = json.loads((expired / "catalog.json").read_text())["products"][0]["effectiveDate"]
        check(f"link-charts --at {then} links a chart that has expired", set(names) <= set(link_charts(expired, links, "--at", then)), then)
        check("link-charts removes a chart that has expired", link_charts(expired, links) == [], names)
        check("... and its tiles are 404", fetch(f"{base}/{name}/9/0/1.webp")[0] == 404)
    server.shutdown()


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    for is_martin in (False, True):
        print("addresses of " + ("martin" if is_martin else "pmtiles serve"), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            prove(site, pathlib.Path(folder), is_martin)
    sys.exit(f"{len(failures)} checks failed." if failures else 0)


main()
