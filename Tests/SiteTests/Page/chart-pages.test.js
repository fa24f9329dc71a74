import test from "node:test";
import assert from "node:assert/strict";

// The module of the pages in clients/web, with the few elements of a page that it uses.
const { showChart } = await import(`${process.env.CHARTPIPE_PAGE_MODULES}/chart.js`);

class Element {
  children = [];
  options = [];
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  add(option) { this.options.push(option); }
  get text() { return this.textContent ?? this.children.map((child) => child.text).filter(Boolean).join(" | "); }
}

const file = (role, name) => ({ role, path: `blobs/ab/${name}` });
const day = 86_400_000;
const chart = (id, from, to, ...files) => ({
  id, name: id.split("/")[1], format: "png", minZoom: 5, maxZoom: 11, files, boundingBox: { west: 179, south: 50, east: -170, north: 56 },
  effectiveDate: new Date(Date.now() + from * day).toISOString(), expirationDate: new Date(Date.now() + to * day).toISOString(),
});
const current = chart("vfr/West", -10, 46, file("tiles", "a.mbtiles"), file("pmtiles", "new.pmtiles"));
const catalogue = {
  products: [
    chart("vfr/West", -66, -10, file("pmtiles", "old.pmtiles")), current, chart("vfr/West", 46, 102, file("pmtiles", "next.pmtiles")),
    chart("vfr/East", -66, -10, file("pmtiles", "east.pmtiles")), chart("vfr/Plain", 5, 61, file("tiles", "plain.mbtiles")),
    { id: "nasr/aviation", format: "sqlite", files: [file("database", "a.sqlite")], effectiveDate: "2026-01-01", expirationDate: "2026-02-01" },
  ],
};

async function open(address, { answer = () => Response.json(catalogue), isReadable = true, ...defaults } = {}) {
  const [bar, map, drawn] = [new Element(), new Element(), []];
  globalThis.location = new URL(`https://pages.example.org/leaflet.html${address}`);
  globalThis.document = { createElement: () => new Element(), getElementById: (id) => ({ bar, map })[id] };
  globalThis.Option = function (text, value) { return { text, value }; };
  globalThis.setInterval = () => {};
  globalThis.fetch = async () => answer();
  globalThis.pmtiles = {
    PMTiles: class {
      constructor(key) { this.source = { getKey: () => key }; }
      async getHeader() { if (!isReadable) throw new Error("Bad response code: 404"); }
      async getMetadata() { return { attribution: "FAA <b>AeroNav</b>" }; }
    },
  };
  await showChart({ site: "https://charts.example.org/vfr/", chart: "vfr/West", ...defaults }, (chart) => drawn.push(chart));
  return { bar, map, drawn };
}

test("a page shows the edition in force with its dates and attribution", async () => {
  const { bar, map, drawn } = await open("");
  assert.equal(drawn[0].archive.source.getKey(), "https://charts.example.org/vfr/blobs/ab/new.pmtiles");
  assert.equal(drawn[0].attribution, "FAA &#60;b&#62;AeroNav&#60;/b&#62;");
  assert.deepEqual(drawn[0].box, { west: 179, south: 50, east: 190, north: 56 });
  assert.ok(bar.text.includes(`${current.effectiveDate.slice(0, 10)} ${current.effectiveDate.slice(11, 16)}Z to `), bar.text);
  assert.ok(bar.text.includes("In force."));
  assert.deepEqual(bar.children[0].options.map((option) => option.value), ["vfr/East", "vfr/West"]);
  assert.equal(map.text, "");
  const other = await open("?site=https://charts.example.org/vfr");
  assert.equal(other.drawn[0].archive.source.getKey(), "https://charts.example.org/vfr/blobs/ab/new.pmtiles", "without a slash at the end");
});

test("a page says that a chart has expired or is not in force, and that the catalogue is out of date", async () => {
  assert.ok((await open("?chart=vfr/East")).bar.text.includes("Expired. Do not navigate by it."));
  const { bar } = await open("?chart=vfr/Plain", {
    tiles: "https://t/{z}/{x}/{y}", answer: () => Response.json({ ...catalogue, expires: "2026-01-01T00:00:00Z" }),
  });
  assert.ok(bar.text.includes("Not in force yet.") && bar.text.includes("there should be a newer one"), bar.text);
});

test("a page explains what is missing in place of the map", async () => {
  for (const [address, options, words] of [
    ["?chart=vfr/Plain", {}, 'as .mbtiles only, and this page reads PMTiles. Add "pmtiles"'],
    ["?chart=vfr/Nowhere", {}, 'The site has no chart "vfr/Nowhere". Select one above.'],
    ["?chart=nasr/aviation", {}, "The site has no chart"],
    ["", { answer: () => Promise.reject(new TypeError("Failed to fetch")) }, "could not be read. Check the address of the site"],
    ["", { answer: () => new Response("", { status: 404 }) }, "the server answered 404"],
    ["", { answer: () => new Response("<html>") }, "is not a catalogue"],
    ["", { isReadable: false }, "new.pmtiles could not be read: Bad response code: 404. Its server must answer ranges."],
    ["?site=charts", {}, '"charts" is not the address of a site'],
  ]) {
    const { map, drawn } = await open(address, options);
    assert.ok(map.text.includes(words), `${address}: ${map.text}`);
    assert.deepEqual(drawn, []);
  }
});

test("a page writes a problem of its tiles into the bar, and removes it", async () => {
  const { bar, drawn } = await open("?chart=vfr/Plain", { tiles: "https://t/{z}/{x}/{y}" });
  drawn[0].warn("No tiles from https://t: check the tile server.");
  assert.ok(bar.text.endsWith("No tiles from https://t: check the tile server."), bar.text);
  drawn[0].warn("");
  assert.ok(!bar.text.includes("No tiles"));
});

test("the addresses of a tile server have the names of link-charts", async () => {
  const { drawn } = await open("?chart=vfr/Plain", { tiles: "https://tiles.example.org/{chart}/{z}/{x}/{y}.{format}", attribution: "FAA" });
  assert.equal(drawn[0].tiles, "https://tiles.example.org/vfr-Plain/{z}/{x}/{y}.png");
  assert.equal(drawn[0].attribution, "FAA");
  const menu = async (tiles) => (await open("", { tiles })).bar.children[0].options.map((option) => option.value);
  assert.deepEqual(await menu("https://tiles.example.org/{chart}/{z}/{x}/{y}"), ["vfr/East", "vfr/Plain", "vfr/West"]);
  assert.deepEqual(await menu("https://tiles.example.org/{z}/{x}/{y}"), ["vfr/West"]);
});
