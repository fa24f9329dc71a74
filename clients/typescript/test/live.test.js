// Opens the live channel of Tests/Live.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { decodeCatalog, snapshot } from "../dist/index.js";
import { openSite } from "../dist/node.js";
import { serve } from "./server.js";
import { rejects } from "./site.js";

const folder = fileURLToPath(new URL("../../../Tests/Live", import.meta.url));
const read = (name) => readFile(join(folder, name));
const publicKey = (await read("key.pub")).toString();
const signature = "live/signatures/eb1b6966cc1c3d371b46252f2d2acb85299d126ec7fb5f40c31bd11d1fbe3920.minisig";

let server;
beforeEach(async () => (server = await serve(folder)));
afterEach(() => server.close());
const open = (more = {}) => openSite(server.url, { publicKey, channel: "live", retryDelay: 1, documentTimeout: 600_000, ...more });

test("the live channel opens with its own signature, and its files verify", async () => {
  const site = await open();
  assert.deepEqual(server.requests.map((each) => each.path), ["live.json", signature]);
  assert.equal(site.catalog.serial, 90_017);
  assert.equal(JSON.parse(new TextDecoder().decode(await site.download(site.catalog.products[0].files[0]))).features.length, 1);
  server.replaced.set(signature, null);
  await open();
  server.replaced.set("live.json.minisig", null);
  await rejects(open(), "signature", /live\.json: the site has no signature/);
});

test("a snapshot is current or unconfirmed by the caller's clock", async () => {
  const { catalog } = await open();
  for (const { id, now, ...expected } of JSON.parse(await read("states.json"))) {
    const found = snapshot(catalog, id, new Date(now));
    const { state, reason, age } = found;
    assert.deepEqual({ state, ...(state === "current" ? { age: age / 1000 } : { reason }) }, expected, `${id} at ${now}`);
    if (state === "current") assert.equal(found.product.id, id);
  }
  const { observed, fetched, expires } = snapshot(catalog, "tfr/tfr", new Date("2026-11-27T18:02:00Z"));
  assert.deepEqual([observed, fetched, expires].map((time) => time.toISOString().slice(11, 16)), ["17:56", "17:59", "18:26"]);
  const endless = decodeCatalog((await read("live.json")).toString().replace('"expires":"2026-11-27T18:30:00Z",', ""));
  assert.equal(snapshot(endless, "tfr/tfr", new Date("2026-11-27T18:02:00Z")).state, "unconfirmed");
});

test("a missing, a changed and an older live channel are errors", async () => {
  server.replaced.set("live.json", await read("older/live.json"));
  await rejects(open(), "signature", /does not match/);
  server.replaced.set("live.json.minisig", await read("older/live.json.minisig"));
  assert.equal((await open()).catalog.serial, 90_016);
  await rejects(open({ highestSerial: 90_017 }), "replayed", /has the serial 90016/);
  server.replaced.set("live.json", null);
  await rejects(open(), "missing", /live\.json/);
});

test("a catalogue of one channel is refused in place of the other", async () => {
  server.replaced.set("catalog.json", await read("live.json"));
  server.replaced.set("catalog.json.minisig", await read("live.json.minisig"));
  await rejects(open({ channel: "cycles" }), "invalid", /another channel/);
  server.replaced.set("live.json", await readFile(join(folder, "../Catalogues/good/plain.json")));
  await rejects(open({ publicKey: null }), "invalid", /another channel/);
});
