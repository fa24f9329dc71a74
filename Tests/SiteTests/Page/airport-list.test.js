import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const { ABBREVIATIONS, AirportList, decodeAirports, findAirports, STATES } = await import(`${process.env.CHARTPIPE_PAGE_MODULES}/airport-list.js`);

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

const written = decodeAirports({ ...list, airports: [
  ["KSFO", "SFO", "San Francisco Intl", "San Francisco", "CA", -122.4, 37.6, null], ["KHWD", "HWD", "Hayward Exec", "Hayward", "CA", -122.1, 37.7, null],
  ["KLVK", "LVK", "Livermore Muni", "Livermore", "CA", -121.8, 37.7, null], ["KSLC", "SLC", "Salt Lake City Intl", "Salt Lake City", "UT", -112, 40.8, null],
  ["KMDW", "MDW", "Chicago Midway Intl", "Chicago", "IL", -87.8, 41.8, null], ["KSQL", "SQL", "San Carlos", "San Carlos", "CA", -122.2, 37.5, null],
  ["KAPA", "APA", "Centennial", "Denver", "CO", -104.8, 39.6, null], ["F70", "F70", "French Valley", "Murrieta", "CA", -117.1, 33.6, null],
  ...list.airports,
] });
const firstOf = (text) => findAirports(written, text)[0]?.icao;

test("an airport is found as people write it: without abbreviations, with the word airport or a state, its words apart or together", () => {
  for (const [text, icao] of [
    ["san francisco international", "KSFO"], ["international", "KSFO"], ["San Francisco Internat", "KSFO"], ["sfo airport", "KSFO"], ["airport sfo", "KSFO"],
    ["Palo Alto airport", "KPAO"], ["palo alto air", "KPAO"], ["palo alto field", "KPAO"], ["hayward executive", "KHWD"], ["livermore municipal", "KLVK"],
    ["palo alto, california", "KPAO"], ["palo alto calif", "KPAO"], ["Palo Alto Airport, CA", "KPAO"], ["sanjose", "KSJC"], ["sanfran", "KSFO"],
    ["paloalto airport", "KPAO"], ["saltlakecity", "KSLC"], ["mid way", "KMDW"], ["hay ward exec", "KHWD"], ["KF70", "F70"],
  ]) assert.equal(firstOf(text), icao, text);
});

test("a state narrows a search, and its name alone is not every airport of it", () => {
  assert.deepEqual(findAirports(written, "san california").map(({ icao }) => icao), ["KSFO", "KSQL", "KSJC"]);
  assert.equal(firstOf("palo alto utah"), undefined);
  assert.equal(firstOf("utah"), undefined);
  assert.equal(firstOf("county"), undefined, "CO of Colorado is not the abbreviation of county");
  assert.deepEqual([firstOf("airport"), firstOf("airport field")], [undefined, undefined]);
});

test("abbreviations and states are those of the stored query", () => {
  const pairs = (path, start, end) => Object.fromEntries([...readFileSync(path, "utf8").split(start)[1].split(end)[0]
    .matchAll(/"([A-Z ]+)"[,:] "([A-Z]+)"/g)].map(([, name, short]) => [name.toLowerCase(), short]));
  const abbreviations = pairs("Sources/Aero/Schema/AirportsSearch.swift", "let abbreviations = [", "\n  ]");
  const lowered = Object.entries(abbreviations).map(([name, short]) => [name, short.toLowerCase()]);
  assert.deepEqual(ABBREVIATIONS, Object.fromEntries(lowered));
  assert.deepEqual(STATES, pairs("Sources/Aero/Airspace/SpecialUseAirspaces.swift", "let codes: CodeBook = [", "\n  ]"));
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
