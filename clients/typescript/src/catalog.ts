import { ChartpipeError } from "./errors.js";
import { JsonObject } from "./json.js";

/** The format that this version reads. */
export const catalogFormat = "chartpipe-catalog-1";

/**
 * A signed list of a site: `cycles` has the charts and databases of the AIRAC cycles, `live` has snapshots such as TFRs, which are
 * replaced every few minutes. Each has its own signatures and its own serials.
 */
export type Channel = "cycles" | "live";

/** The file of a channel, and the folder of its signatures. */
export const channels = {
  cycles: { file: "catalog.json", signatures: "signatures" },
  live: { file: "live.json", signatures: "live/signatures" },
};

/** No catalogue has more bytes. */
export const catalogLimit = 4_000_000;

/** A file of the site, with its expected size and hash. The file at a path never changes. */
export interface FileReference {
  /** Relative to the folder of `catalog.json`. It never leads out of that folder. */
  path: string;
  /** 64 lower-case hex digits. */
  sha256: string;
  bytes: number;
}

/** A file of a product. */
export interface ProductFile extends FileReference {
  mediaType: string;
  /** `tiles`, `pmtiles`, `database`, … Ignore unknown roles. */
  role: string;
  /** The same file as gzip; undefined where gzip saves almost nothing. */
  gzip?: FileReference;
}

/** Degrees, south and west negative. */
export interface BoundingBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** One edition of a chart, a database or an export. */
export interface Product {
  /** `vfr-sectional/San_Francisco`, the same in every cycle. */
  id: string;
  /** `chart`, `database` or `export`. Future versions may add values. */
  kind: string;
  /** The name to display. */
  name: string;
  /** The AIRAC cycle that it is listed for. A chart is valid for two cycles. */
  cycle: string;
  /** The effective day of the source. */
  edition: string;
  /** The first second in force. Cycles change at 0901Z. */
  effectiveDate: Date;
  /** The first second in which its successor is in force. */
  expirationDate: Date;
  /** When the publisher last confirmed a snapshot at its source. */
  fetched?: Date;
  /** The box never crosses 180 degrees: a product that does has a box from -180 to 180, and `boundingBoxes`. */
  boundingBox?: BoundingBox;
  boundingBoxes?: BoundingBox[];
  minZoom?: number;
  maxZoom?: number;
  /** The id of the chart as a region, such as `San_Francisco_TAC`: unique over all families and usable as a file name. */
  region?: string;
  /** `png`, `webp`, `sqlite`, … */
  format: string;
  /** The width of its tiles in pixels; undefined for 256 and for products without tiles. */
  tileSize?: number;
  /** The standard form of this variant, such as the PNG chart of a WebP chart; undefined for a standard form. */
  variantOf?: string;
  files: ProductFile[];
  /** The ids of other charts whose pixels are in its tiles. */
  includes: string[];
}

/** A product of which the publisher has no edition for a cycle, or a snapshot that it withdrew. */
export interface Held {
  id: string;
  /** `refused` by validation, `contains` parts of a refused product, `failed` to build, or `expired`. Future versions may add values. */
  reason: string;
  /** The first validation rule that rejected it. */
  rule?: string;
  /** The cycle of the earlier edition in `products`; undefined when there is none. */
  published?: string;
}

/** One AIRAC cycle of 28 days. Products have their own dates. */
export interface Cycle {
  id: string;
  effective: Date;
  expires: Date;
  published?: Date;
  /** The list of all files of the cycle. */
  manifest: FileReference;
  held: Held[];
}

/** What a rollback took out of the catalogue. These products are not in `products`. */
export interface Withdrawn {
  /** The cycle. */
  id: string;
  withdrawn: Date;
  /** The hashes of the files by the id of the product. */
  products: Map<string, string[]>;
}

/** The contents of a site from its `catalog.json`, or its snapshots from `live.json`. */
export interface Catalog {
  /** Increases by one with each change of the catalogue. */
  serial: number;
  /** When the publisher signed this catalogue; undefined where it does not state it. */
  issued?: Date;
  /** When the publisher will have replaced this catalogue: see `validity`. Undefined where it does not state it. */
  expires?: Date;
  /** The roles are those at the time of staging. To use your own clock, call `cycleInForce`. */
  previous?: Cycle;
  current?: Cycle;
  next?: Cycle;
  /** By cycle and id. A product has an entry for each edition, with the latest of the cycles that have it. */
  products: Product[];
  /** The previous catalogue. */
  replaces?: FileReference;
  /** `regions.json` of this catalogue. */
  regions?: FileReference;
  withdrawn: Withdrawn[];
  /** The snapshots that the live channel lacks. */
  held: Held[];
}

/**
 * Reads `catalog.json`. Verify its signature first.
 *
 * Unknown keys are ignored. A known key that does not conform to docs/formats, such as a path that leads out of the site, is an
 * error of the code `invalid`; another format is one of the code `format`.
 */
export function decodeCatalog(json: Uint8Array | string): Catalog {
  if (json.length > catalogLimit) {
    throw new ChartpipeError("invalid", "reading catalog.json", `it has more than ${catalogLimit} bytes`);
  }
  const root = JsonObject.parse(json, "catalog.json");
  checkFormat(root, catalogFormat);
  const entries = root.list("products", readEntry);
  const products = entries.flat();
  if (products.length > entries.length) products.sort(byCycleAndID);
  return {
    serial: root.count("serial"),
    issued: root.optional("issued", root.time),
    expires: root.optional("expires", root.time),
    previous: root.optional("previous", (key) => readCycle(root.object(key))),
    current: root.optional("current", (key) => readCycle(root.object(key))),
    next: root.optional("next", (key) => readCycle(root.object(key))),
    products,
    replaces: root.optional("replaces", (key) => readFile(root.object(key))),
    regions: root.optional("regions", (key) => readFile(root.object(key))),
    withdrawn: root.optional("withdrawn", (key) => root.list(key, readWithdrawn)) ?? [],
    held: root.optional("held", (key) => root.list(key, readHeld)) ?? [],
  };
}

export function checkFormat(root: JsonObject, known: string): void {
  const format = root.text("format");
  if (format !== known) {
    throw root.problem("format", `this version cannot read "${format}", only "${known}"; update the app`, "format");
  }
}

/** An edition that several cycles have unchanged is one entry with all of them. */
function readEntry(entry: JsonObject): Product[] {
  const product = readProduct(entry);
  const cycles = entry.optional("cycles", entry.texts) ?? [product.cycle];
  if (cycles.length < 1 || cycles.length > 13) {
    throw entry.problem("cycles", `an edition cannot have ${cycles.length} cycles`);
  }
  return cycles.map((cycle) => ({ ...product, cycle }));
}

function readProduct(entry: JsonObject): Product {
  return {
    id: entry.text("id"),
    kind: entry.text("kind"),
    name: entry.text("name"),
    cycle: entry.text("cycle"),
    edition: entry.text("edition"),
    effectiveDate: entry.time("effectiveDate"),
    expirationDate: entry.time("expirationDate"),
    fetched: entry.optional("fetched", entry.time),
    boundingBox: entry.optional("boundingBox", (key) => readBox(entry.object(key))),
    boundingBoxes: entry.optional("boundingBoxes", (key) => entry.list(key, readBox)),
    minZoom: entry.optional("minZoom", entry.count),
    maxZoom: entry.optional("maxZoom", entry.count),
    region: entry.optional("region", entry.fileName),
    format: entry.text("format"),
    tileSize: entry.optional("tileSize", entry.count),
    variantOf: entry.optional("variantOf", entry.text),
    files: entry.list("files", readProductFile),
    includes: entry.optional("includes", entry.texts) ?? [],
  };
}

export function readFile(file: JsonObject): FileReference {
  return { path: file.sitePath("path"), sha256: file.sha256("sha256"), bytes: file.size("bytes") };
}

function readProductFile(file: JsonObject): ProductFile {
  return {
    ...readFile(file),
    mediaType: file.text("mediaType"),
    role: file.text("role"),
    gzip: file.optional("gzip", (key) => readFile(file.object(key))),
  };
}


/** Rejects a box whose edges are swapped or not on the earth. */
export function readBox(box: JsonObject): BoundingBox {
  const [west, south, east, north] = ["west", "south", "east", "north"].map(box.number);
  if (!(-180 <= west && west <= east && east <= 180 && -90 <= south && south <= north && north <= 90)) {
    throw box.problem("", "west and east must ascend within -180...180, south and north within -90...90");
  }
  return { west, south, east, north };
}

function readCycle(cycle: JsonObject): Cycle {
  return {
    id: cycle.text("id"),
    effective: cycle.time("effective"),
    expires: cycle.time("expires"),
    published: cycle.optional("published", cycle.time),
    manifest: readFile(cycle.object("manifest")),
    held: cycle.optional("held", (key) => cycle.list(key, readHeld)) ?? [],
  };
}

function readHeld(held: JsonObject): Held {
  return {
    id: held.text("id"), reason: held.text("reason"),
    rule: held.optional("rule", held.text), published: held.optional("published", held.text),
  };
}

function readWithdrawn(record: JsonObject): Withdrawn {
  return {
    id: record.text("id"), withdrawn: record.time("withdrawn"),
    products: record.dictionary("products", (inner, id) => inner.texts(id)),
  };
}

function byCycleAndID(one: Product, other: Product): number {
  const difference = cycleStart(one.cycle) - cycleStart(other.cycle);
  return difference !== 0 ? difference : one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

/**
 * The time at which a cycle such as `2612` takes effect, in milliseconds since 1970; 0 for another text. The years 64 to 99 mean the
 * 1900s.
 */
export function cycleStart(id: string): number {
  if (!/^\d{4}$/.test(id)) return 0;
  const year = Number(id.slice(0, 2));
  const term = 28 * 86_400_000;
  const anchor = Date.UTC(2020, 0, 2, 9, 1);
  const newYear = Date.UTC(year < 64 ? 2000 + year : 1900 + year, 0, 1, 9, 1);
  return anchor + (Math.ceil((newYear - anchor) / term) + Number(id.slice(2)) - 1) * term;
}
