import test from "node:test";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";

const { AirportList, decodeAirports, findAirports } = await import(`${process.env.CHARTPIPE_PAGE_MODULES}/airport-list.js`);

const list = {
  format: "chartpipe-airports-1", columns: "icao, faaID, name, city, state, longitude, latitude, searchWords",
  airports: [
    ["KORD", "ORD", "Chicago O'Hare Intl", "Chicago", "IL", -87.9, 41.98, "OHARE"], ["KSJC", "SJC", "Norman Y Mineta San Jose Intl", "San Jose", "CA", -121.9, 37.4, null],
    ["KPAO", "PAO", "Palo Alto", "Palo Alto", "CA", -122.1, 37.5, null], ["PAOM", "OME", "Nome", "Nome", "AK", -165.4, 64.5, null],
    ["0CA0", "0CA0", "San Rafael", null, null, -122.5, 38, null],
  ],
};
const airports = decodeAirports(list);
const found = (text) => findAirports(airports, text).map(({ icao }) => icao);

test("an airport is found by its identifiers, its name, its city and its state, also in part", () => {
  for (const text of ["KPAO", "pao ", "Palo Alto", "alto palo", "pal ca"]) assert.equal(found(text)[0], "KPAO", text);
  assert.deepEqual(found("jose"), ["KSJC"]);
  assert.deepEqual([found("o'hare"), found("OHARE")], [["KORD"], ["KORD"]]);
  assert.deepEqual([found(""), found(" - "), found("are"), found("palo nome")], [[], [], [], []]);
});

test("an identifier comes before its beginning, and that before a word; otherwise the most important airport is first", () => {
  assert.deepEqual(found("pao"), ["KPAO", "PAOM"]);
  assert.deepEqual(found("san"), ["KSJC", "0CA0"]);
});

test("the list is read once, compressed, whether or not the server says so to the browser", async () => {
  const file = { path: "a.json", role: "json", gzip: { path: "a.gz" } };
  const plain = new TextEncoder().encode(JSON.stringify(list));
  for (const bytes of [plain, gzipSync(plain)]) {
    const asked = [];
    const reader = new AirportList({ files: [{ path: "a.pmtiles", role: "pmtiles" }, file] }, async (path) => {
      asked.push(path);
      return new Response(bytes);
    });
    assert.equal((await reader.find("kpao"))[0].longitude, -122.1);
    assert.equal((await reader.airport("PAOM")).name, "Nome");
    assert.equal(await reader.airport("XXXX"), undefined);
    assert.deepEqual(asked, ["a.gz"]);
  }
});

test("after a failure the list is read again, and a product without a list has no airports", async () => {
  const answers = [new Response("", { status: 503 }), new Response('{"format":"other"}'), new Response(JSON.stringify(list))];
  const reader = new AirportList({ files: [{ path: "a.json", role: "json" }] }, async () => answers.shift());
  await assert.rejects(reader.find("x"), /503/);
  await assert.rejects(reader.find("x"), /does not know/);
  assert.equal((await reader.find("kpao")).length, 1);
  assert.deepEqual(await new AirportList(undefined).find("kpao"), []);
  assert.deepEqual(await new AirportList({ files: [] }).find("kpao"), []);
});
