// Hashes, signatures and documents without a server. scripts/check-typescript sets the variables:
// CHARTPIPE_TEST_SITE       the folder of a published site, for a catalogue and its signature
// CHARTPIPE_TEST_KEY        the publisher's public key
// CHARTPIPE_TEST_MINISIGN   a folder with the file `message`, the key `minisign.pub` and the signatures `legacy.minisig` and
//                           `prehashed.minisig` of the minisign program; without it, that test is skipped
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  blake2b, catalogCurrency, currency, cycleInForce, cycleStart, decodeCatalog, decodeLatest, decodeRegions, downloadForm,
  filesToGet, forms, freshness, offer, PublicKey, Signature,
} from "../dist/index.js";
import { nodePrimitives } from "../dist/node.js";

const folder = process.env.CHARTPIPE_TEST_SITE;
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const hash = "a".repeat(64);
const chart = (more = {}) => ({
  id: "vfr-sectional/Seattle", kind: "chart", name: "Seattle", cycle: "2611", edition: "2026-10-29",
  effectiveDate: "2026-10-29T09:01:00Z", expirationDate: "2026-12-24T09:01:00Z", format: "png",
  boundingBox: { west: -125, south: 44.5, east: -117, north: 49 }, minZoom: 6, maxZoom: 12, region: "Seattle",
  files: [{ path: `blobs/aa/${hash}.mbtiles`, sha256: hash, bytes: 9, mediaType: "application/vnd.sqlite3", role: "tiles" }],
  sources: [], build: {}, aLaterKey: 1, ...more,
});
const cycle = (id, effective, expires, more = {}) => ({
  id, effective, expires, manifest: { path: `blobs/aa/${hash}.json`, sha256: hash, bytes: 9 }, ...more,
});
const catalog = (more = {}) => JSON.stringify({
  format: "chartpipe-catalog-1", serial: 7, previous: null, next: null,
  current: cycle("2611", "2026-10-29T09:01:00Z", "2026-11-26T09:01:00Z"), products: [chart()], ...more,
});
const refused = (work, pattern, code = "invalid") => assert.throws(work, (error) => {
  assert.equal(error.code, code, error.stack);
  assert.match(error.message, pattern);
  return true;
});

test("BLAKE2b-512 is that of RFC 7693, appendix A", () => {
  assert.equal(
    hex(blake2b(Buffer.from("abc"))),
    "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
  );
});

test("BLAKE2b-512 is that of OpenSSL for messages around the ends of blocks", () => {
  const message = Uint8Array.from({ length: 1100 }, (_, i) => (i * i * 31 + i * 7 + 255) & 255);
  for (let length = 0; length <= message.length; length += 1) {
    const part = message.subarray(0, length);
    assert.equal(hex(blake2b(part)), createHash("blake2b512").update(part).digest("hex"), `${length} bytes`);
  }
});

test("the program's signature verifies, and with any changed byte it does not", async () => {
  const key = PublicKey.parse(await readFile(process.env.CHARTPIPE_TEST_KEY, "utf8"));
  const file = await readFile(join(folder, "catalog.json"));
  const text = await readFile(join(folder, "catalog.json.minisig"), "utf8");
  const signature = Signature.parse(text, "catalog.json.minisig");
  assert.equal(signature.algorithm, "ED");
  assert.match(signature.trustedComment, /^Chartpipe catalogue, serial \d+$/);
  await signature.verify(file, key, nodePrimitives, "catalog.json");
  for (const place of [0, 127, 128, file.length - 1]) {
    const changed = Uint8Array.from(file);
    changed[place] ^= 1;
    await assert.rejects(signature.verify(changed, key, nodePrimitives, "catalog.json"), { code: "signature" });
  }
});

test("a changed signature does not verify", async () => {
  const key = PublicKey.parse(await readFile(process.env.CHARTPIPE_TEST_KEY, "utf8"));
  const file = await readFile(join(folder, "catalog.json"));
  const lines = (await readFile(join(folder, "catalog.json.minisig"), "utf8")).split("\n");
  for (const [line, first] of [[1, 0], [3, 0]]) {
    const length = Buffer.from(lines[line], "base64").length;
    for (let place = first; place < length; place += 1) {
      const bytes = Buffer.from(lines[line], "base64");
      bytes[place] ^= 4;
      const changed = lines.map((each, i) => (i === line ? bytes.toString("base64") : each)).join("\n");
      const verify = async () => Signature.parse(changed, "it").verify(file, key, nodePrimitives, "it");
      await assert.rejects(verify, { code: "signature" }, `line ${line}, byte ${place}`);
    }
  }
  for (const broken of ["", lines.slice(0, 3).join("\n"), [...lines, "more"].join("\n"), lines.slice(1).join("\n")]) {
    refused(() => Signature.parse(broken, "it"), /not a signature in minisign's format/, "signature");
  }
});

const vectors = process.env.CHARTPIPE_TEST_MINISIGN;
test("minisign's signatures verify, prehashed and legacy", { skip: !vectors && "without minisign" }, async () => {
  const key = PublicKey.parse(await readFile(join(vectors, "minisign.pub"), "utf8"));
  const message = await readFile(join(vectors, "message"));
  for (const [name, algorithm] of [["legacy", "Ed"], ["prehashed", "ED"]]) {
    const signature = Signature.parse(await readFile(join(vectors, `${name}.minisig`), "utf8"), name);
    assert.equal(signature.algorithm, algorithm);
    await signature.verify(message, key, nodePrimitives, name);
    const changed = signature.verify(message.subarray(1), key, nodePrimitives, name);
    await assert.rejects(changed, { code: "signature" });
  }
});

test("a public key is a file or its second line", async () => {
  const text = await readFile(process.env.CHARTPIPE_TEST_KEY, "utf8");
  assert.equal(PublicKey.parse(text.split("\n")[1]).name, PublicKey.parse(text).name);
  assert.ok(text.includes(PublicKey.parse(text.replace(/\n/g, "\r\n")).name));
  for (const broken of ["", "RWQ", "nothing of the sort", text.replace("RW", "AB")]) {
    refused(() => PublicKey.parse(broken), /not a public key in minisign's format/);
  }
});

test("an edition of two cycles is one entry, and a product for each", () => {
  const read = decodeCatalog(catalog({
    products: [
      chart({ id: "a/Z", cycle: "2611" }), chart({ id: "a/A", cycle: "2612", cycles: ["2611", "2612"] }),
    ],
  }));
  assert.deepEqual(read.products.map((each) => [each.cycle, each.id]), [["2611", "a/A"], ["2611", "a/Z"], ["2612", "a/A"]]);
  refused(() => decodeCatalog(catalog({ products: [chart({ cycles: [] })] })), /\.products\[0\]\.cycles: an edition cannot have 0/);
});

test("cycles start on their days", () => {
  for (const [id, day] of [["2001", "2020-01-02"], ["2013", "2020-12-03"], ["2014", "2020-12-31"], ["2101", "2021-01-28"],
    ["2304", "2023-04-20"], ["2612", "2026-11-26"], ["9801", "1998-01-01"]]) {
    assert.equal(new Date(cycleStart(id)).toISOString(), `${day}T09:01:00.000Z`, id);
  }
});

test("the clock chooses the edition, to the second", () => {
  const next = chart({
    cycle: "2613", edition: "2026-12-24", effectiveDate: "2026-12-24T09:01:00Z", expirationDate: "2027-02-18T09:01:00Z",
  });
  const read = decodeCatalog(catalog({ products: [chart({ cycle: "2612", cycles: ["2611", "2612"] }), next] }));
  const at = (time) => offer(read, "vfr-sectional/Seattle", new Date(time));
  assert.equal(at("2026-10-29T09:00:59Z").shown, undefined);
  assert.equal(at("2026-10-29T09:00:59Z").upcoming.edition, "2026-10-29");
  assert.equal(at("2026-10-29T09:01:00Z").shown.cycle, "2612");
  assert.equal(at("2026-12-24T09:00:59Z").inForce.edition, "2026-10-29");
  assert.equal(at("2026-12-24T09:00:59Z").upcoming.edition, "2026-12-24");
  assert.equal(at("2026-12-24T09:01:00Z").inForce.edition, "2026-12-24");
  assert.equal(at("2026-12-24T09:01:00Z").expired.edition, "2026-10-29");
  const late = at("2027-02-18T09:01:00Z");
  assert.equal(late.inForce, undefined);
  assert.equal(late.shown.edition, "2026-12-24");
  assert.equal(currency(late.shown, new Date("2027-02-18T09:01:00Z")).state, "expired");
  assert.equal(currency(late.shown, new Date("2027-02-16T00:00:00Z")).state, "expiresSoon");
  assert.equal(currency(late.shown, new Date("2027-01-16T00:00:00Z")).state, "current");
});

test("a held product shows its earlier edition and the reason", () => {
  const held = [{ id: "vfr-sectional/Seattle", reason: "refused", rule: "tiles-decode", published: "2611" }];
  const read = decodeCatalog(catalog({
    previous: cycle("2612", "2026-11-26T09:01:00Z", "2026-12-24T09:01:00Z"),
    current: cycle("2613", "2026-12-24T09:01:00Z", "2027-01-21T09:01:00Z", { held }),
  }));
  const found = offer(read, "vfr-sectional/Seattle", new Date("2027-01-01T00:00:00Z"));
  assert.equal(found.inForce, undefined);
  assert.equal(found.shown.edition, "2026-10-29");
  assert.deepEqual(found.held, held[0]);
  assert.equal(cycleInForce(read, new Date("2026-12-01T00:00:00Z")).id, "2612");
  assert.equal(catalogCurrency(read, new Date("2026-12-23T00:00:00Z")).state, "current"); // its successor is there
  assert.equal(catalogCurrency(read, new Date("2027-01-20T00:00:00Z")).state, "expiresSoon");
  assert.equal(catalogCurrency(read, new Date("2027-02-20T00:00:00Z")).state, "expired");
  assert.equal(catalogCurrency(read, new Date("2026-02-20T00:00:00Z")).state, "next");
});

test("withdrawn products are listed", () => {
  const withdrawn = [{ id: "2613", products: { "nasr/aviation": [hash] }, withdrawn: "2026-12-01T12:00:00Z" }];
  const [record] = decodeCatalog(catalog({ withdrawn })).withdrawn;
  assert.equal(record.withdrawn.toISOString(), "2026-12-01T12:00:00.000Z");
  assert.deepEqual([...record.products], [["nasr/aviation", [hash]]]);
});

test("forms and files", () => {
  const file = (role, digit, more = {}) => ({ ...chart().files[0], role, sha256: digit.repeat(64), ...more });
  const gzip = { path: `blobs/cc/${hash}.gz`, sha256: hash, bytes: 4 };
  const files = [file("tiles", "b"), file("pmtiles", "c"), file("control", "d"), file("airports", "e", { gzip }), file("samples", "f")];
  const webp = chart({ id: "vfr-sectional-webp/Seattle", variantOf: "vfr-sectional/Seattle", format: "webp", region: undefined });
  const read = decodeCatalog(catalog({ products: [webp, chart({ files })] }));
  const standard = read.products[1];
  assert.deepEqual(forms(read, read.products[0]).map((each) => each.format), ["png", "webp"]);
  assert.deepEqual(filesToGet(standard).map((each) => each.role), ["tiles", "airports"]);
  assert.deepEqual(filesToGet(standard, true).map((each) => each.role), ["pmtiles", "airports"]);
  assert.equal(downloadForm(standard.files[3], true).path, gzip.path);
  assert.equal(downloadForm(standard.files[3], false).sha256, "e".repeat(64));
});

test("serials", () => {
  const read = decodeCatalog(catalog());
  assert.deepEqual([undefined, 6, 7, 8].map((seen) => freshness(read, seen)), ["first", "newer", "same", "replayed"]);
});

test("values that do not conform are refused with their place", () => {
  const product = (more) => () => decodeCatalog(catalog({ products: [chart(more)] }));
  const path = (text) => product({ files: [{ ...chart().files[0], path: text }] });
  for (const text of ["../../etc/passwd", "/etc/passwd", "blobs//x", "blobs/./x", "a\\b", "https://host/x", "a%2e", "a?b", "a#b", "", "ä",
    "a b"]) {
    refused(path(text), /\.products\[0\]\.files\[0\]\.path: .*not a path within the site/);
  }
  refused(product({ effectiveDate: "2026-02-30T09:01:00Z" }), /effectiveDate: "2026-02-30T09:01:00Z" is not a time/);
  refused(product({ effectiveDate: "2026-10-29" }), /is not a time/);
  refused(product({ region: "../Seattle" }), /region: "\.\.\/Seattle" is not a file name/);
  refused(product({ name: undefined }), /name: is missing/);
  refused(product({ files: [{ ...chart().files[0], bytes: -1 }] }), /bytes: -1 is not a count/);
  refused(product({ files: [{ ...chart().files[0], bytes: 2 ** 41 }] }), /more than a file has/);
  refused(product({ files: [{ ...chart().files[0], sha256: hash.toUpperCase() }] }), /not 64 lower-case hex digits/);
  refused(product({ boundingBox: { west: 10, south: 0, east: -10, north: 1 } }), /\.boundingBox: west and east must ascend/);
  refused(() => decodeCatalog(catalog({ products: {} })), /\.products: is not a list/);
  refused(() => decodeCatalog("[]"), /the document: is not an object/);
  refused(() => decodeCatalog(Uint8Array.of(0xff, 0xfe)), /it is not JSON/);
  refused(() => decodeCatalog(catalog({ format: "chartpipe-catalog-2" })), /update the app/, "format");
  refused(() => decodeLatest("{\"format\": \"chartpipe-latest-2\"}"), /update the app/, "format");
  refused(() => decodeRegions("[{}]"), /\.regions\[0\]\.id: is missing/);
  const form = { format: "webp", archive: "mbtiles", variant: "lite", url: "../x", sha256: hash, bytes: 9 };
  const region = {
    id: "A", name: "A", effectiveDate: 0, expirationDate: 1, boundingBox: chart().boundingBox, fileSizeMB: 1, url: "blobs/x", sha256: hash,
    bytes: 1,
  };
  assert.deepEqual(decodeRegions(JSON.stringify([region]))[0].forms, []);
  refused(() => decodeRegions(JSON.stringify([{ ...region, forms: [form] }])), /\.forms\[0\]\.url: .*not a path within the site/);
});

test("the real catalogue has what its schema promises", async () => {
  const json = await readFile(join(folder, "catalog.json"));
  const read = decodeCatalog(json);
  const raw = JSON.parse(json);
  assert.equal(read.products.length, raw.products.flatMap((each) => each.cycles ?? [each.cycle]).length);
  for (const file of [...read.products.flatMap((each) => each.files), read.regions, read.replaces]) {
    const bytes = await readFile(join(folder, file.path));
    assert.equal(bytes.length, file.bytes);
    assert.equal(createHash("sha256").update(bytes).digest("hex"), file.sha256);
  }
});
