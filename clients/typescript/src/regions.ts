import type { BoundingBox, Catalog, FileReference, Product } from "./catalog.js";
import { readBox } from "./catalog.js";
import { forms, offer } from "./editions.js";
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
  /** Undefined in lists of earlier publishers, as is `maxZoom`. */
  minZoom?: number;
  maxZoom?: number;
  /** Millions of bytes. */
  fileSizeMB: number;
  /** All archives of this edition, the standard form's first; empty in lists of earlier publishers. */
  forms: ChartForm[];
  /** The product's id in the catalogue. */
  product?: string;
}

/** One archive of a chart, in one of its forms: PNG or WebP, 256 or 512 pixels, MBTiles or PMTiles. */
export interface ChartForm extends FileReference {
  /** `webp`, `2x`, `lite`; undefined for the standard form. */
  variant?: string;
  /** `png`, `webp` */
  format: string;
  /** `mbtiles`, `pmtiles` */
  archive: string;
  /** The width of its tiles in pixels; undefined for 256. */
  tileSize?: number;
  minZoom?: number;
  maxZoom?: number;
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
    minZoom: region.optional("minZoom", region.count),
    maxZoom: region.optional("maxZoom", region.count),
    fileSizeMB: region.number("fileSizeMB"),
    forms: region.optional("forms", (key) => region.list(key, readForm)) ?? [],
    product: region.optional("product", region.text),
    path: region.sitePath("url"),
    sha256: region.sha256("sha256"),
    bytes: region.size("bytes"),
  }));
}

function readForm(form: JsonObject): ChartForm {
  return {
    variant: form.optional("variant", form.text),
    format: form.text("format"),
    archive: form.text("archive"),
    tileSize: form.optional("tileSize", form.count),
    minZoom: form.optional("minZoom", form.count),
    maxZoom: form.optional("maxZoom", form.count),
    path: form.sitePath("url"),
    sha256: form.sha256("sha256"),
    bytes: form.size("bytes"),
  };
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
    .flatMap((product) => (product === undefined ? [] : regionOf(product, catalog)))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function regionOf(product: Product, catalog: Catalog): ChartRegion[] {
  const tiles = product.files.find((file) => file.role === "tiles");
  if (product.boundingBox === undefined || product.region === undefined || tiles === undefined) return [];
  return [{
    id: product.region,
    name: regionName(product, product.region),
    effectiveDate: product.effectiveDate,
    expirationDate: product.expirationDate,
    boundingBox: product.boundingBox,
    boundingBoxes: product.boundingBoxes,
    minZoom: product.minZoom,
    maxZoom: product.maxZoom,
    fileSizeMB: tiles.bytes / 1_000_000,
    forms: forms(catalog, product).flatMap(archivesOf),
    product: product.id,
    path: tiles.path,
    sha256: tiles.sha256,
    bytes: tiles.bytes,
  }];
}

/** The archives of one product: MBTiles first. */
function archivesOf(product: Product): ChartForm[] {
  const { format, tileSize, minZoom, maxZoom, variantOf } = product;
  const variant = variantOf === undefined
    ? undefined : product.id.split("/")[0].slice(variantOf.split("/")[0].length + 1);
  return ["tiles", "pmtiles"].flatMap((role) => product.files.filter((file) => file.role === role)).map((file) => ({
    variant,
    format,
    archive: file.role === "tiles" ? "mbtiles" : "pmtiles",
    tileSize,
    minZoom,
    maxZoom,
    path: file.path,
    sha256: file.sha256,
    bytes: file.bytes,
  }));
}

/** The name of the chart with the suffix of its region id: `San Francisco TAC`. */
function regionName(product: Product, region: string): string {
  const item = product.id.slice(product.id.indexOf("/") + 1);
  if (!region.startsWith(item)) return product.name;
  const suffix = region.slice(item.length).replace(/_/g, " ");
  return product.name.includes(suffix.trimStart()) ? product.name : product.name + suffix;
}
