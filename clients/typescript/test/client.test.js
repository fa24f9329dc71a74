// Opens a site that chartpipe published and signed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ChartpipeError, changedSince, chartRegions, decodeRegions, offer, Site, webPrimitives } from "../dist/index.js";
import { openSite } from "../dist/node.js";
import { chart, database, folder, open, otherKey, publicKey, rejects, server, sha256, then, tiles } from "./site.js";

const catalogBytes = await readFile(join(folder, "catalog.json"));

test("a signed site opens with the publisher's key", async () => {
  const site = await open();
  assert.equal(site.sha256, sha256(catalogBytes));
  assert.deepEqual(server.requests.map((each) => each.path), ["catalog.json", `signatures/${site.sha256}.minisig`]);
  assert.equal(site.catalog.serial, JSON.parse(catalogBytes).serial);
  assert.ok(offer(site.catalog, chart, then).inForce.files.length > 0);
});

test("WebCrypto opens the same site", async () => {
  globalThis.crypto ??= (await import("node:crypto")).webcrypto; // Node.js 18
  const site = await open({ primitives: webPrimitives });
  const file = await tiles(site);
  assert.equal(sha256(await site.download(file)), file.sha256);
});

test("an error has no control characters of a server", () => {
  const error = new ChartpipeError("invalid", "reading a\u001b[2Jb", "c\u0007\u009bd");
  assert.equal(error.message, "reading a[2Jb: cd.");
  assert.equal(`${error.operation}, ${error.reason}`, "reading a[2Jb, cd");
});

test("a site opens with an injected fetch, and its address may end with a slash", async () => {
  const asked = [];
  const fetch = (url, init) => {
    asked.push(url);
    return globalThis.fetch(url.replace("https://charts.example.org/vfr", server.url), init);
  };
  const site = await openSite("https://charts.example.org/vfr/", { publicKey, fetch });
  assert.equal(site.url, "https://charts.example.org/vfr/");
  assert.equal(asked[0], "https://charts.example.org/vfr/catalog.json");
});

test("another key is refused", () => rejects(open({ publicKey: otherKey }), "signature", /is of the key \w{16}, not of \w{16}/));

test("a missing key is an error, and null reads without verification", async () => {
  await rejects(open({ publicKey: undefined }), "invalid", /reading the public key/);
  const site = await open({ publicKey: null });
  assert.equal(server.requests.length, 1);
  assert.equal(site.sha256, sha256(catalogBytes));
});

test("a changed catalogue is refused before it is decoded", async () => {
  server.replaced.set("catalog.json", Buffer.from("{ this is not JSON"));
  await rejects(open(), "signature", /signature does not match the file/);
  const changed = Buffer.from(catalogBytes.toString().replace('"serial":', '"serial":1'));
  server.replaced.set("catalog.json", changed);
  await rejects(open(), "signature", /signature does not match the file/);
});

test("a changed trusted comment is refused", async () => {
  const text = await readFile(join(folder, "catalog.json.minisig"), "utf8");
  const changed = text.replace(/serial \d+/, "serial 99");
  assert.notEqual(changed, text);
  for (const path of ["catalog.json.minisig", `signatures/${sha256(catalogBytes)}.minisig`]) {
    server.replaced.set(path, Buffer.from(changed));
  }
  await rejects(open(), "signature", /trusted comment of the signature was changed/);
});

test("an unsigned site is refused, and one with minisign's file alone opens", async () => {
  server.replaced.set(`signatures/${sha256(catalogBytes)}.minisig`, null);
  await open();
  server.replaced.set("catalog.json.minisig", null);
  await rejects(open(), "signature", /the site has no signature/);
});

test("an older catalogue with a valid signature is refused", async () => {
  const { catalog } = await open();
  const older = await readFile(join(folder, catalog.replaces.path));
  server.replaced.set("catalog.json", older);
  const site = await open();
  assert.ok(site.catalog.serial < catalog.serial);
  await rejects(open({ highestSerial: catalog.serial }), "replayed", /this device has seen \d+/);
});

test("a site that is not there, and an address that is none", async () => {
  server.replaced.set("catalog.json", null);
  await rejects(open(), "missing", /catalog\.json.*Check the address/);
  await rejects(openSite("charts/vfr", { publicKey }), "invalid", /not a complete address/);
});

test("the list of regions is that of the catalogue", async () => {
  const site = await open();
  const regions = await site.regions();
  assert.deepEqual(regions.map((region) => region.id), ["Sample_East", "Sample_West"]);
  assert.deepEqual(regions, chartRegions(site.catalog, then));
  assert.deepEqual(regions, decodeRegions(await readFile(join(folder, "regions.json"))));
  assert.equal(regions[0].effectiveDate.toISOString(), "2023-04-20T09:01:00.000Z");
  assert.deepEqual(regions[0].forms.map((form) => [form.archive, form.variant, form.path]), [["mbtiles", undefined, regions[0].path]]);
});

test("latest.json names what changed", async () => {
  const site = await open();
  const latest = await Site.latest(server.url);
  assert.equal(latest.catalog, site.sha256);
  assert.equal(latest.serial, site.catalog.serial);
  const held = new Map([chart, database].map((id) => [id, offer(site.catalog, id, then).inForce.files[0].sha256]));
  assert.deepEqual(changedSince(latest, held), []);
  held.set(chart, "0".repeat(64)).set("sample-sectional/Gone", "0".repeat(64));
  assert.deepEqual(changedSince(latest, held), [chart, "sample-sectional/Gone"]);
  assert.deepEqual(changedSince(latest, JSON.parse(JSON.stringify(Object.fromEntries(held)))), [chart, "sample-sectional/Gone"]);
});
