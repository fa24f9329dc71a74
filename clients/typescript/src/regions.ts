import type { BoundingBox, Catalog, FileReference, Product } from "./catalog.js";
import { readBox } from "./catalog.js";
import { offer } from "./editions.js";
import { JsonObject, parseJson } from "./json.js";

/** A chart as a region to download. `path`, `sha256` and `bytes` are of its MBTiles archive. */
export interface ChartRegion extends FileReference {
  /** `San_Francisco`, `San_Francisco_TAC`: unique over all families of a site, and usable as a file name. */
  id: string;
  name: string;
  effectiveDate: Date;
  expirationDate: Date;
  boundingBox: BoundingBox;
  /** For a chart across 180 degrees, the two boxes that meet there. */
  boundingBoxes?: BoundingBox[];
  /** Millions of bytes. */
  fileSizeMB: number;
}

/** Reads `regions.json`. */
export function decodeRegions(json: Uint8Array | string): ChartRegion[] {
  const root = new JsonObject({ regions: parseJson(json, "regions.json") }, "regions.json");
  return root.list("regions", (region) => ({
    id: region.fileName("id"),
    name: region.text("name"),
    effectiveDate: region.seconds2001("effectiveDate"),
    expirationDate: region.seconds2001("expirationDate"),
    boundingBox: readBox(region.object("boundingBox")),
    boundingBoxes: region.optional("boundingBoxes", (key) => region.list(key, readBox)),
    fileSizeMB: region.number("fileSizeMB"),
    path: region.sitePath("url"),
    sha256: region.sha256("sha256"),
    bytes: region.size("bytes"),
  }));
}

/**
 * Returns the regions of all families by id, each in the edition to show at this instant: the one in force, else an expired, else a
 * future one.
 */
export function chartRegions(catalog: Catalog, now: Date): ChartRegion[] {
  const ids = new Set(catalog.products.filter((product) => product.region !== undefined).map((product) => product.id));
  return [...ids]
    .map((id) => offer(catalog, id, now))
    .map((found) => found.shown ?? found.upcoming)
    .flatMap((product) => (product === undefined ? [] : regionOf(product)))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function regionOf(product: Product): ChartRegion[] {
  const tiles = product.files.find((file) => file.role === "tiles");
  if (product.boundingBox === undefined || product.region === undefined || tiles === undefined) return [];
  return [{
    id: product.region,
    name: regionName(product, product.region),
    effectiveDate: product.effectiveDate,
    expirationDate: product.expirationDate,
    boundingBox: product.boundingBox,
    boundingBoxes: product.boundingBoxes,
    fileSizeMB: tiles.bytes / 1_000_000,
    path: tiles.path,
    sha256: tiles.sha256,
    bytes: tiles.bytes,
  }];
}

/** The name of the chart with the suffix of its region id: `San Francisco TAC`. */
function regionName(product: Product, region: string): string {
  const item = product.id.slice(product.id.indexOf("/") + 1);
  if (!region.startsWith(item)) return product.name;
  const suffix = region.slice(item.length).replace(/_/g, " ");
  return product.name.includes(suffix.trimStart()) ? product.name : product.name + suffix;
}
