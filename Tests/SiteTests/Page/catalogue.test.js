import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const catalogue = await import(`${modules}/catalogue.js`);

const product = (id, from, until, more = {}) => ({
  id, kind: "chart", name: id.split("/")[1].replaceAll("_", " "), format: "png",
  effectiveDate: `${from}T09:01:00Z`, expirationDate: `${until}T09:01:00Z`, files: [], ...more,
});
const old = product("vfr-sectional/Seattle", "2026-09-03", "2026-10-29");
const present = product("vfr-sectional/Seattle", "2026-10-29", "2026-12-24");
const next = product("vfr-sectional/Seattle", "2026-12-24", "2027-02-18");
const at = (time) => Date.parse(time);

test("an edition is valid from 0901Z until 0901Z", () => {
  assert.equal(catalogue.validity(present, at("2026-10-29T09:00:59Z")), "coming");
  assert.equal(catalogue.validity(present, at("2026-10-29T09:01:00Z")), "current");
  assert.equal(catalogue.validity(present, at("2026-12-24T09:00:59Z")), "current");
  assert.equal(catalogue.validity(present, at("2026-12-24T09:01:00Z")), "expired");
});

test("the edition in force is shown, else the last, else the first to come", () => {
  const all = [next, old, present];
  assert.equal(catalogue.shownEdition(all, at("2026-11-01T00:00:00Z")), present);
  assert.equal(catalogue.shownEdition(all, at("2027-11-01T00:00:00Z")), next);
  assert.equal(catalogue.shownEdition(all, at("2025-11-01T00:00:00Z")), old);
});

test("the map says in a few words what of it has expired", () => {
  const vector = (name, counts) => product(`nasr/${name}`, "2026-10-29", "2026-11-26", { kind: "export", build: { counts } });
  const data = [vector("vector", { airports: 9 }), vector("obstacles", { obstacles: 4 }), vector("tracks")];
  assert.equal(catalogue.expiredText([present, ...data], at("2026-11-01")), "");
  assert.equal(catalogue.expiredText([present, ...data], at("2026-12-01")), "Expired: airports and airspace, obstacles, tracks");
  assert.equal(catalogue.expiredText([present], at("2027-01-01")), "Expired: Seattle");
  assert.equal(catalogue.expiredText([present, old, data[0]], at("2027-01-01")), "Expired: 2 charts, airports and airspace");
});

test("products are grouped by family, mosaics first", () => {
  const mosaic = product("vfr-sectional/United_States", "2026-10-29", "2026-12-24", { includes: ["vfr-sectional/Seattle"] });
  const data = product("nasr/aviation", "2026-11-26", "2026-12-24", { kind: "database" });
  const groups = catalogue.families({ products: [data, old, present, mosaic] }, at("2026-11-01T00:00:00Z"));
  assert.deepEqual(groups.map(({ title }) => title), ["VFR sectional", "NASR"]);
  assert.deepEqual(groups[0].items.map(({ product: { name } }) => name), ["United States", "Seattle"]);
  assert.deepEqual(groups[0].items[1].others, [old]);
});

test("a file is saved under a readable name", () => {
  const file = (path, role) => ({ path, role });
  const chart = { ...present, region: "Seattle_SEC", files: [file("blobs/ab/ab.mbtiles", "tiles"), file("blobs/cd/cd.pmtiles", "pmtiles")] };
  assert.deepEqual(chart.files.map((one) => catalogue.downloadName(chart, one)), ["Seattle_SEC.mbtiles", "Seattle_SEC.pmtiles"]);
  const map = { ...product("nasr/map", "2026-11-26", "2026-12-24"), files: [file("a.geojson", "airports"), file("b.geojson", "airspaces")] };
  assert.deepEqual(map.files.map((one) => catalogue.downloadName(map, one)), ["map-airports.geojson", "map-airspaces.geojson"]);
});

test("sizes and searches", () => {
  assert.deepEqual([999, 1000, 2635776, 123456789, 4e9].map(catalogue.sizeText), ["999 bytes", "1.0 kB", "2.6 MB", "123 MB", "4.0 GB"]);
  const finds = (text) => catalogue.matches(present, catalogue.searchWords(text));
  assert.ok(finds("seat VFR") && finds("") && finds("vfr_sectional"));
  assert.ok(!finds("seattle tac"));
});

test("the standing of the site follows the clock, not the roles", () => {
  const cycle = (id, effective, expires) => ({ id, effective: `${effective}T09:01:00Z`, expires: `${expires}T09:01:00Z` });
  const site = { previous: null, current: cycle("2612", "2026-11-26", "2026-12-24"), next: cycle("2613", "2026-12-24", "2027-01-21") };
  assert.deepEqual(catalogue.cycleStanding(site, at("2026-12-01")), { word: "current", text: "Cycle 2612, in force until 24 Dec 2026, 09:01 UTC" });
  assert.match(catalogue.cycleStanding(site, at("2027-01-01")).text, /^Cycle 2613, in force/);
  assert.match(catalogue.cycleStanding(site, at("2027-03-01")).text, /^Cycle 2613 expired on 21 Jan 2027/);
  assert.match(catalogue.cycleStanding(site, at("2026-01-01")).text, /^Cycle 2612 takes effect/);
  assert.equal(catalogue.cycleStanding({}, 0).text, "No cycle is published.");
});

test("another cycle is shown as of its beginning, beside the one before it", () => {
  const cycle = (id, effective, expires) => ({ id, effective: `${effective}T09:01:00Z`, expires: `${expires}T09:01:00Z` });
  const [first, second] = [cycle("2612", "2026-11-26", "2026-12-24"), cycle("2613", "2026-12-24", "2027-01-21")];
  const site = { previous: null, current: first, next: second, products: [old, present, next] };
  const now = at("2026-12-01");
  assert.deepEqual(catalogue.chosenCycle(site, null, now), { cycles: [first, second], cycle: first, before: undefined, time: now });
  assert.deepEqual(catalogue.chosenCycle(site, "2611", now).cycle, first);
  const chosen = catalogue.chosenCycle(site, "2613", now);
  assert.deepEqual(chosen, { cycles: [first, second], cycle: second, before: first, time: at("2026-12-24T09:01:00Z") });
  assert.deepEqual(catalogue.families(site, chosen.time)[0].items[0].product, next);
  assert.deepEqual(catalogue.editionsAtBeginning(site, first), [present]);
  assert.deepEqual(catalogue.editionsAtBeginning({ products: [next] }, first), []);
  assert.match(catalogue.cycleStanding(site, now, second).text, /^Cycle 2613 takes effect on 24 Dec 2026/);
  assert.deepEqual(catalogue.chosenCycle({}, "2612", now), { cycles: [], cycle: undefined, before: undefined, time: now });
});

test("two cycles have the same charts if no edition changed", () => {
  const other = product("vfr-sectional/Phoenix", "2026-10-29", "2026-12-24");
  assert.ok(catalogue.areSameEditions([present, other], [other, present]));
  assert.ok(!catalogue.areSameEditions([present, other], [next, other]));
  assert.ok(!catalogue.areSameEditions([present], [other, present]));
  assert.ok(!catalogue.areSameEditions([], []));
});

test("a cycle that the site lacks is named with those that it has", () => {
  const [first, second] = [{ id: "2612" }, { id: "2613" }];
  assert.equal(catalogue.missingCycle({ cycles: [first, second], cycle: first }, "2699"), "This site has no cycle 2699. It has 2612, 2613; this page shows 2612.");
  assert.equal(catalogue.missingCycle({ cycles: [first], cycle: first }, "2699"), "This site has no cycle 2699. It has 2612 only.");
  for (const id of ["2612", null, ""]) assert.equal(catalogue.missingCycle({ cycles: [first], cycle: first }, id), undefined);
  assert.equal(catalogue.missingCycle({ cycles: [], cycle: undefined }, "2612"), undefined);
});

test("a product that a cycle lacks has its name, the reason, and the edition that is shown instead", () => {
  const text = (held) => catalogue.heldText({ products: [old, next] }, { id: "2612" }, held, at("2026-12-01"));
  assert.equal(text({ id: old.id, reason: "refused", rule: "tiles-decode", published: "2611" }),
    "Not in cycle 2612: Seattle (VFR sectional), because it failed a check of the publisher (tiles-decode). "
      + `Shown instead: the edition ${catalogue.dayText(old.effectiveDate)} – ${catalogue.dayText(old.expirationDate)}, expired.`);
  assert.equal(text({ id: "nasr/south_west", reason: "failed" }), "Not in cycle 2612: south west (NASR), because it could not be made. Nothing is shown instead.");
  assert.match(text({ id: "nasr/map", reason: "contains" }), /: map \(NASR\), because it is made from a chart or database that failed a check\./);
  assert.match(text({ id: "nasr/map", reason: "other" }), /because it was held back \(other\)/);
});

test("a product is tagged if the chosen cycle lacks it, or if its state is another one than that of the cycle", () => {
  const cycle = { id: "2611" };
  const now = at("2026-12-01");
  const tagOf = (one, time, standing) => catalogue.productTag(one, { cycle, time }, standing, now);
  assert.deepEqual(tagOf(present, at("2026-10-01"), "expired"), { word: "absent", text: "not in cycle 2611" });
  assert.deepEqual(tagOf(present, at("2026-11-01"), "expired"), { word: "current", text: "current" });
  assert.equal(tagOf(old, at("2026-10-01"), "expired"), undefined, "the head says it once");
  assert.equal(tagOf(present, now, "current"), undefined);
  assert.deepEqual(tagOf(old, now, "current"), { word: "expired", text: "expired" });
});

test("the editions of the present follow the clock of a page that stays open, and those of a chosen cycle do not", () => {
  const [loaded, later] = [at("2026-12-01"), at("2026-12-25")];
  const now = { cycle: { id: "2612" }, time: loaded };
  assert.deepEqual(catalogue.productTag(present, catalogue.chosenLater(now, loaded, later), "current", later), { word: "expired", text: "expired" });
  assert.equal(catalogue.chosenLater({ ...now, time: at("2026-12-24") }, loaded, later).time, at("2026-12-24"));
});

test("a page is loaded again only after its catalogue could be read", async () => {
  const reloads = [];
  globalThis.location = { protocol: "https:", reload: () => reloads.push("reload") };
  const answers = [
    () => Promise.reject(new TypeError("Failed to fetch")), () => Promise.reject(new DOMException("signal timed out", "TimeoutError")),
    () => new Response("", { status: 503 }), () => new Response("<html>Welcome</html>"), () => Response.json({ format: "other" }),
  ];
  for (const answer of answers) {
    globalThis.fetch = async () => answer();
    await assert.rejects(catalogue.reload(() => reloads.push("prepared")), (error) => /^[a-z].*[a-z]$/.test(catalogue.reasonOf(error)));
  }
  assert.deepEqual(reloads, []);
  globalThis.fetch = async () => Response.json({ format: "chartpipe-catalog-1" });
  await catalogue.reload(() => reloads.push("prepared"));
  assert.deepEqual(reloads, ["prepared", "reload"]);
});

test("the texts change with each date that passes, and only then", () => {
  const cycle = { id: "2612", effective: "2026-11-26T09:01:00Z", expires: "2026-12-24T09:01:00Z" };
  const chart = { effectiveDate: "2026-10-29T09:01:00Z", expirationDate: "2026-12-24T09:01:00Z" };
  const data = { effectiveDate: "2026-11-26T09:01:00Z", expirationDate: "2026-12-24T09:01:00Z" };
  const at = (time) => catalogue.standings({ current: cycle, products: [chart, data] }, Date.parse(time));
  assert.notEqual(at("2026-11-26T09:00:59Z"), at("2026-11-26T09:01:00Z"));
  assert.equal(at("2026-11-26T09:01:00Z"), at("2026-12-24T09:00:59Z"));
  assert.notEqual(at("2026-12-24T09:00:59Z"), at("2026-12-24T09:01:00Z"));
});
