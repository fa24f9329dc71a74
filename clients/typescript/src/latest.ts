import { checkFormat } from "./catalog.js";
import { JsonObject } from "./json.js";

/** The format that this version reads. */
export const latestFormat = "chartpipe-latest-1";

/** The charts of a pipeline in `latest.json`. */
export interface LatestCharts {
  /** The latest edition among the charts. */
  edition: string;
  /** The edition of each chart that has another one, by the second part of its id. */
  older: Map<string, string>;
  /** By the second part of the id: the first 12 digits of the SHA-256 of the MBTiles archive. */
  tiles: Map<string, string>;
}

/** `latest.json`: whether there is anything newer. No signature covers it, so it is only a hint to open the site again. */
export interface Latest {
  serial: number;
  /** The SHA-256 of `catalog.json`. */
  catalog: string;
  /** The SHA-256 of the list of regions. */
  regions?: string;
  /** The current cycle and its end. */
  cycle?: string;
  expires?: Date;
  /** By id of a database or an export: the SHA-256 of its first file in the current cycle. */
  products: Map<string, string>;
  charts: Map<string, LatestCharts>;
}

/** Reads `latest.json`. */
export function decodeLatest(json: Uint8Array | string): Latest {
  const root = JsonObject.parse(json, "latest.json");
  checkFormat(root, latestFormat);
  return {
    serial: root.count("serial"),
    catalog: root.sha256("catalog"),
    regions: root.optional("regions", root.sha256),
    cycle: root.optional("cycle", root.text),
    expires: root.optional("expires", root.time),
    products: root.dictionary("products", (inner, id) => inner.sha256(id)),
    charts: root.dictionary("charts", (inner, pipeline) => readCharts(inner.object(pipeline))),
  };
}

function readCharts(charts: JsonObject): LatestCharts {
  return {
    edition: charts.text("edition"),
    older: charts.optional("older", (key) => charts.dictionary(key, (inner, item) => inner.text(item))) ?? new Map(),
    tiles: charts.dictionary("tiles", (inner, item) => inner.matching(item, /^[0-9a-f]{12}$/, "is not 12 hex digits")),
  };
}

/**
 * Returns the ids of the products on the device that have other bytes on the site, or are no longer there.
 *
 * @param held The SHA-256 of the first file of each product on the device, by id: a map, or an object as JSON has it.
 */
export function changedSince(latest: Latest, held: ReadonlyMap<string, string> | Readonly<Record<string, string>>): string[] {
  const entries: [string, string][] = Symbol.iterator in held ? [...held as ReadonlyMap<string, string>] : Object.entries(held);
  return entries.filter(([id, sha256]) => !sha256.startsWith(publishedDigits(latest, id) ?? "-")).map(([id]) => id);
}

function publishedDigits(latest: Latest, id: string): string | undefined {
  const cut = id.indexOf("/");
  return latest.products.get(id) ?? latest.charts.get(id.slice(0, cut))?.tiles.get(id.slice(cut + 1));
}
