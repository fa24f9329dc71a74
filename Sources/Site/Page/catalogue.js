// What the catalogue says, as the page shows it.

const CAPITALS = new Set(["vfr", "ifr", "nasr", "cifp", "dtpp", "tac", "dof", "us", "usa"]);
const KINDS = { chart: 0, export: 1, database: 2 };
const RELOAD_TIMEOUT = 10_000;
const ENDINGS = { openefb: "OpenEFB", rzflight: "RZFlight", geojson: "GeoJSON", vectortiles: "Vector tiles" };

/** Reads `catalog.json`. */
export async function readCatalogue(signal) {
  if (location.protocol === "file:") {
    throw new Error("a browser does not let a page from a file read other files; serve this folder with any web server and open the page there");
  }
  const response = await fetch("catalog.json", { cache: "no-cache", signal });
  if (!response.ok) throw new Error(`the server answers ${response.status} for catalog.json; check the address of this page, or try again later`);
  const catalogue = await response.json().catch(() => null);
  if (!catalogue) throw new Error("catalog.json is not JSON: another page, or a part of the file, came in its place; check the connection, and load this page again");
  if (catalogue.format !== "chartpipe-catalog-1") throw new Error("catalog.json has a form that this page does not know; this page may be an old copy, so load it again without the browser's cache");
  return catalogue;
}

/** Loads the page again if the site answers; otherwise a person would lose what it shows. `prepare` may change its address before. */
export async function reload(prepare = () => {}) {
  await readCatalogue(AbortSignal.timeout(RELOAD_TIMEOUT));
  prepare();
  location.reload();
}

/** Why something failed: a browser's own words for a request without an answer differ, and say nothing. */
export function reasonOf(error) {
  const isUnanswered = error.name === "TimeoutError" || (error instanceof TypeError && /fetch|load failed/i.test(error.message));
  return isUnanswered ? "the server does not answer; check the connection, and try again later" : error.message;
}

/** `current`, `expired` or `coming` by a clock. */
export function validity(product, now) {
  if (now < Date.parse(product.effectiveDate)) return "coming";
  return now < Date.parse(product.expirationDate) ? "current" : "expired";
}

/** The edition to show of one product: the one in force, otherwise the last one that was, otherwise the first to come. */
export function shownEdition(editions, now) {
  const ordered = [...editions].sort((one, two) => compare(one.effectiveDate, two.effectiveDate));
  const of = (word) => ordered.filter((edition) => validity(edition, now) === word);
  return of("current").at(-1) ?? of("expired").at(-1) ?? ordered[0];
}

/** The products by family: [{family, title, items: [{product, others}]}], charts first, in the editions of a time. */
export function families(catalogue, time) {
  const editions = grouped(catalogue.products, ({ id }) => id);
  const items = [...editions.values()].map((all) => {
    const product = shownEdition(all, time);
    return { product, others: all.filter((edition) => edition !== product) };
  });
  return [...grouped(items, ({ product }) => familyOf(product))]
    .map(([family, members]) => ({ family, title: familyTitle(family), items: sorted(members) }))
    .sort((one, two) => KINDS[one.items[0].product.kind] - KINDS[two.items[0].product.kind] || compare(one.family, two.family));
}

function sorted(items) {
  const rank = ({ product }) => (product.kind === "chart" ? (product.includes ? -1 : 0) : KINDS[product.kind] === 2 ? 1 : 2);
  return items.sort((one, two) => rank(one) - rank(two) || compare(one.product.name, two.product.name));
}

function grouped(values, key) {
  const groups = new Map();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}

function compare(one, two) {
  return one < two ? -1 : one > two ? 1 : 0;
}

export function familyOf(product) {
  return product.id.split("/")[0];
}

/** `vfr-sectional`: VFR sectional */
export function familyTitle(family) {
  const words = family.split("-").map((word) => (CAPITALS.has(word) ? word.toUpperCase() : word));
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name under which a file is saved: `San_Francisco.mbtiles`. */
export function downloadName(product, file) {
  const item = product.region ?? product.id.split("/").slice(1).join("-");
  const ending = file.path.slice(file.path.lastIndexOf("."));
  const isAlone = product.files.filter((other) => other.path.endsWith(ending)).length === 1;
  return isAlone ? item + ending : `${item}-${file.role}${ending}`;
}

/** `MBTiles`, `SQLite for OpenEFB` */
export function fileKind(product, file) {
  const ending = file.path.slice(file.path.lastIndexOf(".") + 1);
  if (ending === "mbtiles") return "MBTiles";
  if (ending === "pmtiles") return "PMTiles";
  const app = product.kind === "export" ? ENDINGS[product.format] : undefined;
  if (ending === "geojson") return `GeoJSON, ${file.role}`;
  if (ending === "sqlite" || ending === "db") return app ? `SQLite for ${app}` : "SQLite";
  return ending.toUpperCase();
}

/** `1.2 GB`, in powers of a thousand. */
export function sizeText(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const unit = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `18 May 2023` */
export function dayText(date) {
  const options = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };
  return new Date(date).toLocaleDateString("en-GB", options);
}

/** `18 May 2023, 09:01 UTC` */
export function timeText(date) {
  return `${dayText(date)}, ${new Date(date).toISOString().slice(11, 16)} UTC`;
}

export function matches(product, words) {
  const text = `${product.id} ${product.name} ${product.format} ${familyTitle(familyOf(product))}`.toLowerCase().replaceAll("_", " ");
  return words.every((word) => text.includes(word));
}

/** The words of a search. */
export function searchWords(text) {
  return text.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
}

/** The archive that a map can read by ranges; undefined if the product has none. */
export function mapArchive(product) {
  return product.files.find(({ path }) => path.endsWith(".pmtiles"));
}

/** What of the products on a map has expired, in a few words: `Expired: United States, airports and airspace`; empty for nothing. */
export function expiredText(products, now) {
  const expired = products.filter((product) => validity(product, now) === "expired");
  const charts = expired.filter(({ kind }) => kind === "chart");
  const others = expired.filter(({ kind }) => kind !== "chart").map(({ build, name }) =>
    build?.counts?.airports > 0 ? "airports and airspace" : build?.counts?.obstacles > 0 ? "obstacles" : name);
  const texts = [charts.length > 1 ? `${charts.length} charts` : charts[0]?.name, ...new Set(others)].filter(Boolean);
  return texts.length === 0 ? "" : `Expired: ${texts.join(", ")}`;
}

/** A text that changes when a date of the catalogue passes. */
export function standings(catalogue, now) {
  return [cycleStanding(catalogue, now).text, ...catalogue.products.map((product) => validity(product, now))].join(" ");
}

/** The cycles, the earliest first. */
function cyclesOf(catalogue) {
  return [catalogue.previous, catalogue.current, catalogue.next].filter(Boolean);
}

/** The latest cycle that has taken effect, or else the first to come. */
function latestCycle(catalogue, now) {
  const cycles = cyclesOf(catalogue);
  return cycles.filter(({ effective }) => Date.parse(effective) <= now).at(-1) ?? cycles[0];
}

/**
 * The cycle with an id, or else the latest, as {cycles, cycle, before, time}: `before` is the cycle before it, and `time` the time whose
 * editions are shown, which is now or the beginning of another cycle.
 */
export function chosenCycle(catalogue, id, now) {
  const [cycles, latest] = [cyclesOf(catalogue), latestCycle(catalogue, now)];
  const cycle = cycles.find((one) => one.id === id) ?? latest;
  return { cycles, cycle, before: cycles[cycles.indexOf(cycle) - 1], time: cycle === latest ? now : Date.parse(cycle.effective) };
}

/** The same cycle on a page that stayed open: the editions of the present have another time meanwhile. */
export function chosenLater(chosen, loaded, now) {
  return chosen.time === loaded ? { ...chosen, time: now } : chosen;
}

/** What the page says of a cycle that was asked for and that the site lacks; undefined if it has it or none was asked for. */
export function missingCycle({ cycles, cycle }, id) {
  if (!id || !cycle || cycles.some((one) => one.id === id)) return undefined;
  const ids = cycles.map((one) => one.id).join(", ");
  return `This site has no cycle ${id}. It has ${cycles.length > 1 ? `${ids}; this page shows ${cycle.id}` : `${ids} only`}.`;
}

const HELD_REASONS = {
  refused: "it failed a check of the publisher", contains: "it is made from a chart or database that failed a check", failed: "it could not be made",
};

/** What the page says of a product that a cycle lacks: its name, why, and what it shows instead. */
export function heldText(catalogue, cycle, { id, reason, rule }, time) {
  const editions = catalogue.products.filter((product) => product.id === id);
  const shown = editions.length > 0 ? shownEdition(editions, time) : undefined;
  const [family, ...rest] = id.split("/");
  const name = shown?.name ?? rest.join(" ").replaceAll("_", " ");
  const why = HELD_REASONS[reason] ?? `it was held back (${reason})`;
  const instead = shown ? `Shown instead: the edition ${dayText(shown.effectiveDate)} – ${dayText(shown.expirationDate)}${validity(shown, time) === "expired" ? ", expired" : ""}.` : "Nothing is shown instead.";
  return `Not in cycle ${cycle.id}: ${name} (${familyTitle(family)}), because ${why}${rule ? ` (${rule})` : ""}. ${instead}`;
}

/**
 * The tag of a product, as {word, text}: that the chosen cycle lacks it, or else its own word if it is another one than `standing`, the
 * word of the cycle, which the head of the page says once. Undefined for the others.
 */
export function productTag(product, { cycle, time }, standing, now) {
  if (time !== now && validity(product, time) !== "current") return { word: "absent", text: `not in cycle ${cycle.id}` };
  const word = validity(product, now);
  return word === standing ? undefined : { word, text: word };
}

/** The editions in force when a cycle began, one of each product. */
export function editionsAtBeginning(catalogue, { effective }) {
  const time = Date.parse(effective);
  return catalogue.products.filter((product, index, all) =>
    validity(product, time) === "current" && shownEdition(all.filter(({ id }) => id === product.id), time) === product);
}

/** Whether there is nothing to compare: both lists have the same editions. */
export function areSameEditions(one, other) {
  return one.length > 0 && one.length === other.length && one.every((product) => other.includes(product));
}

/** Whether a cycle is in force: {text, word}. */
export function cycleStanding(catalogue, now, cycle = latestCycle(catalogue, now)) {
  if (!cycle) return { word: "expired", text: "No cycle is published." };
  const word = validity({ effectiveDate: cycle.effective, expirationDate: cycle.expires }, now);
  const texts = {
    current: `Cycle ${cycle.id}, in force until ${timeText(cycle.expires)}`,
    expired: `Cycle ${cycle.id} expired on ${timeText(cycle.expires)}`,
    coming: `Cycle ${cycle.id} takes effect on ${timeText(cycle.effective)}`,
  };
  return { word, text: texts[word] };
}
