// The client against a site that chartpipe published and signed. scripts/check-typescript sets the variables:
// CHARTPIPE_TEST_SITE     the folder of a published site at its second or a later publication
// CHARTPIPE_TEST_KEY      the publisher's public key
// CHARTPIPE_TEST_OTHER    another public key
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import {
  changedSince, chartRegions, decodeRegions, filesToGet, MemoryPart, offer, Site, webPrimitives,
} from "../dist/index.js";
import { downloadFile, nodePrimitives, openSite } from "../dist/node.js";
import { serve } from "./server.js";

const folder = process.env.CHARTPIPE_TEST_SITE;
const publicKey = await readFile(process.env.CHARTPIPE_TEST_KEY, "utf8");
const otherKey = await readFile(process.env.CHARTPIPE_TEST_OTHER, "utf8");
const catalogBytes = await readFile(join(folder, "catalog.json"));
const chart = "sample-sectional/Sample_West";
const database = "sample-nasr/aviation";
/** In force in the samples' cycle. */
const then = new Date("2023-05-01T00:00:00Z");

let server, scratch;
beforeEach(async () => {
  server = await serve(folder);
  scratch = await mkdtemp(join(tmpdir(), "chartpipe-client-"));
});
afterEach(async () => {
  await server.close();
  await rm(scratch, { recursive: true });
});

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const open = (more = {}) => openSite(server.url, { publicKey, retryDelay: 1, ...more });
const rejects = (work, code, pattern) => assert.rejects(work, (error) => {
  assert.equal(error.code, code, error.stack);
  assert.match(error.message, pattern);
  return true;
});

async function tiles(site) {
  const product = offer(site.catalog, chart, then).inForce;
  return filesToGet(product).find((file) => file.role === "tiles");
}

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
});

test("all files that an app needs download into a folder, packed and not", async () => {
  const site = await open();
  for (const product of site.catalog.products) {
    for (const [i, file] of filesToGet(product).entries()) {
      for (const unpacking of [true, false]) {
        const path = join(scratch, `${i}${unpacking}`, product.id);
        await downloadFile(site, file, path, { unpacking });
        assert.equal(sha256(await readFile(path)), file.sha256);
        assert.equal(sha256(await site.download(file, { unpacking })), file.sha256);
        assert.deepEqual((await readdir(join(path, ".."))).filter((name) => name.includes(".part")), []);
      }
    }
  }
  const packed = site.catalog.products.flatMap((product) => product.files).filter((file) => file.gzip !== undefined);
  assert.ok(packed.length >= 5);
  for (const { path, gzip } of packed) {
    assert.equal(server.ranges(gzip.path).length, 2);
    assert.equal(server.ranges(path).length, 2);
  }
});

test("a file that is already there is not downloaded again, and a damaged one is", async () => {
  const site = await open();
  const file = await tiles(site);
  const path = join(scratch, "chart.mbtiles");
  await downloadFile(site, file, path);
  await downloadFile(site, file, path);
  assert.equal(server.ranges(file.path).length, 1);
  const bytes = await readFile(path);
  bytes[1000] ^= 1;
  await writeFile(path, bytes);
  await downloadFile(site, file, path);
  assert.equal(sha256(await readFile(path)), file.sha256);
});

test("a broken download continues where it ended", async () => {
  const site = await open();
  const file = await tiles(site);
  server.cut.set(file.path, 100_000);
  const path = join(scratch, "chart.mbtiles");
  await downloadFile(site, file, path);
  assert.equal(sha256(await readFile(path)), file.sha256);
  const [first, second, ...more] = server.ranges(file.path);
  assert.equal(first, undefined);
  assert.match(second, /^bytes=[1-9]\d*-$/);
  assert.deepEqual(more, []);
});

test("a download that failed continues later, with the ETag of its first response", async () => {
  const site = await open({ attempts: 1 });
  const file = await tiles(site);
  const path = join(scratch, "chart.mbtiles");
  server.cut.set(file.path, 100_000);
  await rejects(downloadFile(site, file, path), "network", /downloading blobs.*1 attempts failed/);
  const left = (await readdir(scratch)).sort();
  assert.equal(left.length, 2);
  const { size } = await stat(join(scratch, left[0]));
  assert.ok(size > 0 && size <= 100_000);

  await downloadFile(await open({ attempts: 1 }), file, path);
  const { range, ifRange } = server.requests.filter((each) => each.path === file.path)[1];
  assert.equal(range, `bytes=${size}-`);
  assert.match(ifRange, /^"[0-9a-f]{40}"$/);
  assert.equal(sha256(await readFile(path)), file.sha256);
  assert.deepEqual(await readdir(scratch), ["chart.mbtiles"]);
});

test("a download in memory continues with the same part", async () => {
  const site = await open({ attempts: 1 });
  const file = await tiles(site);
  const part = new MemoryPart(nodePrimitives);
  server.cut.set(file.path, 100_000);
  await rejects(site.download(file, {}, part), "network", /the connection|terminated|aborted/);
  const { bytes } = await part.state();
  assert.ok(bytes > 0);
  assert.equal(sha256(await site.download(file, {}, part)), file.sha256);
  assert.equal(server.ranges(file.path)[1], `bytes=${bytes}-`);
});

for (const [name, setting] of [
  ["a server with If-Range", {}],
  ["a server that ignores If-Range", { checksIfRange: false }],
  ["a server without ETags", { sendsETags: false }],
]) {
  test(`a file that changes during its download is not mixed: ${name}`, async () => {
    Object.assign(server.faults, setting);
    const site = await open();
    const file = await tiles(site);
    // The server has a wrong file until its first response breaks, and the right one after that.
    const wrong = await readFile(join(folder, file.path));
    wrong.fill(7);
    server.replaced.set(file.path, wrong);
    server.cut.set(file.path, 100_000);
    server.before.set(file.path, (count) => {
      if (count > 1) server.replaced.delete(file.path);
    });
    const path = join(scratch, "chart.mbtiles");
    await downloadFile(site, file, path);
    assert.equal(sha256(await readFile(path)), file.sha256);
    assert.ok(server.ranges(file.path)[1].startsWith("bytes="));
  });
}

for (const [name, change] of [
  ["wrong", (bytes) => bytes.fill(0, 5000, 6000)],
  ["longer", (bytes) => Buffer.concat([bytes, Buffer.from("more")])],
]) {
  test(`a ${name} file leaves nothing under the final name, and an old file in place`, async () => {
    const site = await open();
    const file = await tiles(site);
    server.replaced.set(file.path, change(await readFile(join(folder, file.path))));
    const path = join(scratch, "chart.mbtiles");
    await rejects(downloadFile(site, file, path), "integrity", /SHA-256 is|sends more than/);
    await assert.rejects(stat(path), { code: "ENOENT" });
    await rejects(site.download(file), "integrity", /SHA-256 is|sends more than/);

    await writeFile(path, "the old edition");
    await rejects(downloadFile(site, file, path), "integrity", /SHA-256 is|sends more than/);
    assert.equal(await readFile(path, "utf8"), "the old edition");
    server.replaced.delete(file.path);
    await downloadFile(site, file, path);
    assert.equal(sha256(await readFile(path)), file.sha256);
  });
}

test("a file that the server has only in part never completes", async () => {
  const site = await open({ attempts: 2 });
  const file = await tiles(site);
  server.replaced.set(file.path, (await readFile(join(folder, file.path))).subarray(0, 9000));
  const path = join(scratch, "chart.mbtiles");
  await rejects(downloadFile(site, file, path), "network", /2 attempts failed/);
  await assert.rejects(stat(path), { code: "ENOENT" });
});

test("a gzip with other contents is refused", async () => {
  const site = await open();
  const [product, other] = [database, "sample-nasr/openefb"].map((id) => offer(site.catalog, id, then).inForce);
  const mixed = { ...product.files[0], gzip: other.files[0].gzip };
  const path = join(scratch, "aviation.sqlite");
  await rejects(downloadFile(site, mixed, path), "integrity", /unpacking .*size or hash is wrong/);
  await rejects(site.download(mixed), "integrity", /unpacking .*size or hash is wrong/);
  const short = { ...mixed, bytes: 5_000_000, gzip: { ...product.files[0].gzip } };
  await rejects(downloadFile(site, short, path), "integrity", /size or hash is wrong/);
  const small = { ...product.files[0], bytes: product.files[0].bytes - 1 };
  await rejects(downloadFile(site, small, path), "integrity", /it has more than/);
  await rejects(site.download(small), "integrity", /it has more than/);
  assert.deepEqual((await readdir(scratch)).filter((name) => !name.includes(".part")), []);
});

test("failures of the server are repeated, and refusals are not", async () => {
  server.failing.set("catalog.json", [503, 429, 500]);
  const site = await open();
  const file = await tiles(site);
  server.failing.set(file.path, [503, 503]);
  assert.equal(sha256(await site.download(file)), file.sha256);
  assert.equal(server.ranges(file.path).length, 3);
  server.failing.set(file.path, [403]);
  await rejects(site.download(file), "network", /the server answered 403/);
  assert.equal(server.ranges(file.path).length, 4);
  server.replaced.set(file.path, null);
  await rejects(site.download(file), "missing", /Open the site again/);
});

test("a silent server counts as a failure, and a signal cancels", async () => {
  server.silent.add("catalog.json");
  const site = await open({ stallTimeout: 300 });
  assert.equal(server.ranges("catalog.json").length, 2);
  const file = await tiles(site);
  server.silent.add(file.path);
  await rejects(
    (await open({ stallTimeout: 300, attempts: 1 })).download(file), "network", /the server sent nothing for 0.3 s/,
  );

  const controller = new AbortController();
  const patient = await open({ signal: controller.signal });
  server.silent.add(file.path);
  const waiting = patient.download(file);
  setTimeout(() => controller.abort(new Error("the user closed the page")), 50);
  await assert.rejects(waiting, /the user closed the page/);
});
