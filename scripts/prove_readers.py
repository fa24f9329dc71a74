"""The recipes of scripts/prove-serving that read a site: a bucket, GDAL, MapProxy, QGIS, and maps in a browser.

    prove_readers.py SITE ADDRESS PROGRAM [PICTURES]

SITE is the folder of a site, and ADDRESS the one at which a web server serves it. PICTURES keeps what QGIS and the browser draw.

All servers listen on 127.0.0.1. A recipe whose program is not installed is left out, and the output says so.
"""
import base64
import contextlib
import functools
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zlib

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "chartpipe-test/venv"
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet")
SYSTEM_PYTHON = "/usr/bin/python3"
failures = 0


def check(description, is_right, detail=""):
    global failures
    if is_right:
        print(f"  ok      {description}", flush=True)
    else:
        failures += 1
        print(f"  FAILED  {description}: {detail}", flush=True)


def leave_out(description):
    print(f"  --      {description}", flush=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def server(command, port, folder, **more):
    """A server in its own group of processes, from its first answer to the end of the block."""
    with open(folder / f"{port}.log", "wb") as log:
        running = subprocess.Popen(
            [str(word) for word in command], stdout=log, stderr=log, start_new_session=True, cwd=folder, **more)
        try:
            for _ in range(300):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            running.wait()


def fetch(address, headers=None, method="GET"):
    """The status, the headers in lower case, and the body of an answer; also of an error."""
    request = urllib.request.Request(address, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, {name.lower(): value for name, value in error.headers.items()}, error.read()


class Site:
    """The files that the catalogue of a site names."""

    def __init__(self, folder):
        self.folder = folder
        self.catalogue = json.loads((folder / "catalog.json").read_text())

    def products(self, role, form=None):
        return [
            (product, file) for product in self.catalogue["products"] for file in product["files"]
            if file["role"] == role and form in (None, product.get("format"))
        ]

    def first(self, role, form=None):
        found = self.products(role, form)
        if not found:
            sys.exit(f"prove_readers.py: {self.folder} has no product with a file `{role}`: run the sample pipelines")
        return found[0]


# A bucket.

TYPES = {
    ".json": "application/json", ".sqlite": "application/vnd.sqlite3", ".mbtiles": "application/vnd.sqlite3",
    ".pmtiles": "application/vnd.pmtiles", ".geojson": "application/geo+json", ".gz": "application/gzip",
    ".xml": "application/atom+xml", ".minisig": "text/plain; charset=utf-8", ".html": "text/html; charset=utf-8",
}


def media_type(name, content_type):
    """Whether a file of this name should have this type; upper and lower case are the same."""
    wanted = TYPES.get(pathlib.PurePosixPath(name).suffix)
    return wanted is None or (content_type or "").lower() == wanted


@contextlib.contextmanager
def bucket(site, program, folder):
    """Publishes the site, signed, into a bucket with the project's policies, as its owner does."""
    port = free_port()
    with server([ENVIRONMENT / "bin/moto_server", "-H", "127.0.0.1", "-p", port], port, folder) as store:
        variables = {
            **os.environ, "AWS_ACCESS_KEY_ID": "owner", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ENDPOINT_URL": store,
            "AWS_REGION": "us-east-1", "CHARTPIPE_PASSPHRASE": "",
        }
        owner = (
            "import boto3, json, pathlib, sys; store = boto3.client('s3', endpoint_url=sys.argv[1]);"
            " store.create_bucket(Bucket='charts');"
            " store.put_bucket_policy(Bucket='charts', Policy=pathlib.Path('public-read.json').read_text());"
            " rules = json.loads(pathlib.Path('cors.json').read_text());"
            " store.put_bucket_cors(Bucket='charts', CORSConfiguration={'CORSRules': rules});"
            " assert store.get_bucket_cors(Bucket='charts')['CORSRules'] == rules")
        subprocess.run(
            [ENVIRONMENT / "bin/python3", "-c", owner, store], check=True, env=variables, cwd=REPOSITORY / "packaging/bucket")
        publish = ["publish", site.folder, "s3://charts/vfr", "--key", folder / "key", "--adopt-unsigned", "--quiet"]
        for arguments in (["keygen", folder / "key"], publish):
            subprocess.run([program, *arguments], check=True, env=variables, stdout=subprocess.DEVNULL)
        verified = subprocess.run(
            [program, "verify", "s3://charts/vfr", "--public-key", folder / "key.pub", "--at", middle(site)],
            env=variables, capture_output=True, text=True)
        check(f"chartpipe verify: {verified.stdout.strip()}", verified.returncode == 0, verified.stderr)
        yield f"{store}/charts/vfr"


def middle(site):
    """A day on which the newest cycle of the site was in force."""
    cycle = site.catalogue["current"] or site.catalogue["previous"] or site.catalogue["next"]
    return cycle["effective"][:10]


def prove_bucket(site, base):
    product, tiles = site.first("pmtiles")
    names = ["catalog.json", "catalog.json.minisig", "latest.json", "regions.json", "feed.xml"]
    names += sorted(str(path.relative_to(site.folder)) for path in site.folder.glob("charts/*/*.json"))[:2]  # TileJSON
    names += [name for name in ("index.html", "style.json") if (site.folder / name).exists()]
    for name in names:
        status, headers, body = fetch(f"{base}/{name}")
        right = media_type(name, headers.get("content-type")) and headers.get("cache-control") == "public, max-age=60"
        check(f"{name}: {headers.get('content-type')}, {headers.get('cache-control')}", status == 200 and right, headers)
        again = fetch(f"{base}/{name}", {"If-None-Match": headers.get("etag", "")})[0]
        check(f"{name}: 304 for its ETag", again == 304, again)
    files = {file["mediaType"]: file for product in site.catalogue["products"] for file in product["files"] if "mediaType" in file}
    for kind, file in sorted(files.items()):
        status, headers, body = fetch(f"{base}/{file['path']}")
        right = (
            headers.get("content-type") == kind and headers.get("cache-control") == "public, max-age=31536000, immutable"
            and "content-encoding" not in headers and hashlib.sha256(body).hexdigest() == file["sha256"])
        check(f"{pathlib.PurePosixPath(file['path']).suffix} is {kind}, never expires, and has the bytes of its name", right, headers)
    whole = (site.folder / tiles["path"]).read_bytes()
    status, headers, body = fetch(f"{base}/{tiles['path']}", {"Range": "bytes=100-199"})
    named = headers.get("content-range") == f"bytes 100-199/{len(whole)}"
    check("a range is 206, names itself and has the file's bytes", status == 206 and named and body == whole[100:200], headers)
    status, headers, _ = fetch(f"{base}/{tiles['path']}", {"Range": f"bytes={len(whole)}-"})
    check("a range beyond the end is 416", status == 416, status)
    origin = {"Origin": "https://app.example.org"}
    # moto answers a preflight by itself, but puts all of the bucket's policy into the answer to a request of another origin.
    for name in ("catalog.json", tiles["path"]):
        suffix = pathlib.PurePosixPath(name).suffix
        status, headers, _ = fetch(f"{base}/{name}", origin)
        check(f"{suffix}: other origins may read", headers.get("access-control-allow-origin") in ("*", origin["Origin"]), headers)
        exposed = headers.get("access-control-expose-headers", "")
        check(f"{suffix}: scripts see {exposed}", "ETag" in exposed and "Content-Range" in exposed, headers)
        allowed = [headers.get(f"access-control-allow-{what}", "") for what in ("methods", "headers")]
        check(f"{suffix}: they may use {' and '.join(allowed)}", "GET" in allowed[0] and "Range" in allowed[1], headers)


# GDAL.

def gdal(program, *arguments, **variables):
    settings = {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "CPL_VSIL_CURL_USE_HEAD": "NO", "GDAL_PAM_ENABLED": "NO"}
    return subprocess.run(
        [program, *map(str, arguments)], env={**os.environ, **settings, **variables}, capture_output=True, text=True)


def prove_gdal(site, base, folder):
    print(gdal("gdalinfo", "--version").stdout.strip(), flush=True)
    product, tiles = site.first("tiles", "png")
    pictures = []
    for number, place in enumerate((f"/vsicurl/{base}/{tiles['path']}", site.folder / tiles["path"])):
        picture = folder / f"gdal{number}.png"
        box = product["boundingBox"]
        west, north = box["west"] + 0.1, box["north"] - 0.1
        cut = gdal(
            "gdal_translate", "-q", "-of", "PNG", "-projwin_srs", "EPSG:4326", "-projwin", west, north, west + 0.2, north - 0.2,
            place, picture)
        pictures.append(picture.read_bytes() if picture.exists() else cut.stderr.encode())
    check(
        f"gdal_translate /vsicurl/ cuts {len(pictures[0]):,} bytes of {product['id']}, as from the file",
        pictures[0] == pictures[1] and pictures[0].startswith(b"\x89PNG"), pictures[0][:300])
    shapes = [file for product in site.catalogue["products"] for file in product["files"] if file["path"].endswith(".geojson")]
    for file in shapes[:1]:
        answer = gdal("ogrinfo", "-ro", "-so", "-al", f"/vsicurl/{base}/{file['path']}").stdout
        count = [line for line in answer.splitlines() if line.startswith("Feature Count")]
        check(f"ogrinfo /vsicurl/ reads the GeoJSON: {', '.join(count)}", bool(count) and not count[0].endswith(" 0"), answer)
    vector = [file for product, file in site.products("pmtiles") if product.get("format") in ("pbf", "mvt")]
    if vector and "PMTiles" in gdal("ogrinfo", "--formats").stdout:
        answer = gdal("ogrinfo", "-ro", "-so", f"/vsicurl/{base}/{vector[0]['path']}").stdout
        check("ogrinfo /vsicurl/ lists the layers of the vector PMTiles", "1: " in answer, answer)
    else:
        leave_out("vector PMTiles need GDAL 3.8 or later and a site with vector tiles")


# A tile server.

@contextlib.contextmanager
def mapproxy(site, folder):
    """MapProxy with the project's configuration, which serves the first archive with PNG tiles."""
    product, tiles = site.first("tiles", "png")
    text = (REPOSITORY / "packaging/mapproxy/chart.yaml").read_text()
    text = text.replace("/srv/charts/chart.mbtiles", str(site.folder / tiles["path"]))
    (folder / "chart.yaml").write_text(text)
    port = free_port()
    with server(["mapproxy-util", "serve-develop", "-b", f"127.0.0.1:{port}", folder / "chart.yaml"], port, folder) as base:
        yield base + "/tiles/chart/webmercator/{z}/{x}/{y}.png?origin=nw", product


def prove_mapproxy(site, template):
    print(subprocess.run(["mapproxy-util", "--version"], capture_output=True, text=True).stdout.strip(), flush=True)
    archive = sqlite3.connect(f"file:{site.folder / site.first('tiles', 'png')[1]['path']}?mode=ro", uri=True)
    rows = archive.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3").fetchall()
    wrong = []
    for zoom, column, row, data in rows:
        address = template.format(z=zoom, x=column, y=(1 << zoom) - 1 - row)
        status, headers, body = fetch(address)
        if status != 200 or body != bytes(data) or headers.get("content-type") != "image/png":
            wrong.append((address, status, headers))
    check(f"all {len(rows)} tiles of the MBTiles have the archive's bytes", not wrong, wrong[:2])


# QGIS.

QGIS = """
import sys
from qgis.core import Qgis, QgsApplication, QgsMapRendererParallelJob, QgsMapSettings, QgsRasterLayer
from qgis.PyQt.QtCore import QSize

QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
print("QGIS", Qgis.QGIS_VERSION)
first = None
for address, provider, picture in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    layer = QgsRasterLayer(address, "chart", provider)
    if not layer.isValid():
        sys.exit(f"{address}: {layer.error().message()}")
    first = first or layer
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(first.crs())
    settings.setExtent(first.extent())
    settings.setOutputSize(QSize(640, 480))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    job.renderedImage().save(picture)
job = settings = layer = first = None  # before the providers go
application.exitQgis()
"""


def prove_qgis(site, base, template, pictures, folder):
    product, tiles = site.first("tiles", "png")
    from urllib.parse import quote
    layers = [
        (f"/vsicurl/{base}/{tiles['path']}", "gdal", pictures / "qgis-vsicurl.png"),
        (str(site.folder / tiles["path"]), "gdal", folder / "qgis-file.png"),
    ]
    if template:
        address = f"type=xyz&url={quote(template)}&zmin={product['minZoom']}&zmax={product['maxZoom']}"
        layers.append((address, "wms", pictures / "qgis-xyz.png"))
    words = [str(word) for layer in layers for word in layer]
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder),
                 "XDG_RUNTIME_DIR": str(folder), "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "no_proxy": "127.0.0.1"}
    run = subprocess.run([SYSTEM_PYTHON, "-c", QGIS, *words], env=variables, capture_output=True, text=True, cwd=folder)
    print(run.stdout.strip(), flush=True)
    colours = [distinct_colours(layer[2]) for layer in layers] if run.returncode == 0 else []
    check(f"QGIS draws an MBTiles of the web server by /vsicurl/ ({colours[0] if colours else 0} colours)", colours and colours[0] > 20, run.stderr[-500:])
    check(
        "... the same picture as from the file",
        colours and layers[0][2].read_bytes() == layers[1][2].read_bytes(), colours)
    if template:
        check(f"QGIS draws the tiles of MapProxy as an XYZ layer ({colours[2] if colours else 0} colours)", colours and colours[2] > 20, colours)


# Pictures.

def pixels(data):
    """The rows of an RGB, RGBA or palette PNG with 8 bits and without interlacing, as bytes."""
    width, height, depth, kind = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"), data[24], data[25]
    assert depth == 8 and data[28] == 0, "unexpected kind of PNG"
    size = {2: 3, 3: 1, 6: 4, 0: 1, 4: 2}[kind]
    packed, place = b"", 8
    while place < len(data):
        count, name = int.from_bytes(data[place:place + 4], "big"), data[place + 4:place + 8]
        packed += data[place + 8:place + 8 + count] if name == b"IDAT" else b""
        place += 12 + count
    raw, stride, rows = zlib.decompress(packed), width * size, []
    above = bytearray(stride)
    for y in range(height):
        filtered, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - size] if x >= size else 0
            corner = above[x - size] if x >= size else 0
            if filtered == 1:
                row[x] = (row[x] + left) & 255
            elif filtered == 2:
                row[x] = (row[x] + above[x]) & 255
            elif filtered == 3:
                row[x] = (row[x] + (left + above[x]) // 2) & 255
            elif filtered == 4:
                guess = left + above[x] - corner
                near = min((abs(guess - value), order, value) for order, value in enumerate((left, above[x], corner)))
                row[x] = (row[x] + near[2]) & 255
        rows.append(bytes(row))
        above = row
    return rows, size


def distinct_colours(picture):
    rows, size = pixels(picture.read_bytes() if isinstance(picture, pathlib.Path) else picture)
    return len({row[x:x + size] for row in rows[::3] for x in range(0, len(row), 3 * size)})


# Maps in a browser.

class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def pages(folder):
    """The web pages with the libraries that they name, at an origin of their own."""
    shutil.copytree(REPOSITORY / "clients/web", folder / "pages")
    vendor = folder / "pages/vendor"
    vendor.mkdir()
    bundled = next(ENVIRONMENT.glob("lib/python3*/site-packages/roadstyle/vendor"))
    for source in [*bundled.glob("*.js"), *bundled.glob("*.css"), LEAFLET / "leaflet.js", LEAFLET / "leaflet.css"]:
        shutil.copy(source, vendor)
    running = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder / "pages")))
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}"
    finally:
        running.shutdown()


class Browser:
    """A headless Chromium, driven by chromedriver."""

    def __init__(self, driver):
        self.driver = driver
        arguments = ["--headless=new", "--no-sandbox", "--window-size=640,480", "--hide-scrollbars", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", "--no-proxy-server"]
        options = {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.driver + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, address):
        self.call("POST", f"/session/{self.session}/url", {"url": address})

    def screenshot(self):
        return base64.b64decode(self.call("GET", f"/session/{self.session}/screenshot"))

    def errors(self):
        entries = self.call("POST", f"/session/{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING") and "favicon" not in entry["message"]]

    def close(self):
        self.call("DELETE", f"/session/{self.session}")


def prove_pages(site, bases, template, pictures, folder):
    from urllib.parse import quote
    product, _ = site.first("pmtiles")
    calls = [
        (f"{page}.html, from {name}", f"{page}.html?site={quote(base + '/')}&chart={product['id']}", f"{page}-{name}.png")
        for page in ("maplibre", "leaflet") for name, base in bases.items()]
    if template:
        archive, _ = site.first("tiles", "png")
        base = next(iter(bases.values()))
        calls.append((
            "leaflet-tiles.html, from MapProxy",
            f"leaflet-tiles.html?site={quote(base + '/')}&chart={archive['id']}&tiles={quote(template)}", "leaflet-tiles.png"))
    port = free_port()
    with pages(folder) as origin, server(["chromedriver", f"--port={port}"], port, folder) as driver:
        browser = Browser(driver)
        chromium = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.split(" built")[0].strip()
        release = re.search(r"/blob/v([\d.]+)/", (folder / "pages/vendor/maplibre-gl.js").read_text()[:300])
        print(f"{chromium}, MapLibre GL JS {release[1]}, Leaflet of Debian", flush=True)
        for description, path, picture in calls:
            browser.open(f"{origin}/{path}")
            seen, count = b"", 0
            for _ in range(60):
                time.sleep(0.5)
                last, seen = seen, browser.screenshot()
                count = distinct_colours(seen)
                if count > 40 and seen == last:
                    break
            errors = browser.errors()
            (pictures / picture).write_bytes(seen)
            check(f"{description}: {count} colours, no error in the console", count > 40 and not errors, errors)
        browser.close()


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def main():
    site, base, program = Site(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    pictures = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1"
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pictures = pictures or folder
        pictures.mkdir(parents=True, exist_ok=True)
        bases, template = {"web-server": base}, None
        print("a bucket")
        if (ENVIRONMENT / "bin/moto_server").exists():
            bases["bucket"] = stack.enter_context(bucket(site, program, folder))
            prove_bucket(site, bases["bucket"])
        else:
            leave_out("moto is not installed: scripts/install-test-dependencies")
        for name in bases:
            print(f"GDAL, from the {name.replace('-', ' ')}")
            prove_gdal(site, bases[name], folder)
        print("MapProxy")
        if shutil.which("mapproxy-util"):
            template, _ = stack.enter_context(mapproxy(site, folder))
            prove_mapproxy(site, template)
        else:
            leave_out("it is not installed: apt-get install mapproxy")
        print("QGIS")
        if has_module(SYSTEM_PYTHON, "qgis.core"):
            prove_qgis(site, base, template, pictures, folder)
        else:
            leave_out("it is not installed: apt-get install python3-qgis")
        print("maps in a browser")
        if shutil.which("chromedriver") and LEAFLET.exists() and list(ENVIRONMENT.glob("lib/python3*/site-packages/roadstyle")):
            prove_pages(site, bases, template, pictures, folder)
        else:
            leave_out("Chromium, Leaflet or MapLibre is not installed: scripts/install-test-dependencies")
    sys.exit(f"{failures} checks failed." if failures else 0)


main()
