import type { Catalog, Cycle, FileReference, Held, Product, ProductFile } from "./catalog.js";
import { cycleStart } from "./catalog.js";
import { ChartpipeError } from "./errors.js";

/** Whether a product or a cycle is in force at a given time. An app may show expired data with a prominent warning. */
export type Currency =
  /** Not yet in force: an app can download it in advance and shows it from that time. */
  | { state: "next"; from: Date }
  | { state: "current"; until: Date }
  /** In force, but it expires soon. */
  | { state: "expiresSoon"; at: Date }
  | { state: "expired"; since: Date };

/** The default notice before the end, in milliseconds: three days. */
export const usualNotice = 3 * 86_400_000;

export function currency(product: Product, now: Date, notice = usualNotice): Currency {
  const { effectiveDate, expirationDate } = existing(product, "looking at the dates of a product");
  return currencyOf(effectiveDate, expirationDate, now, notice);
}

/** Refuses the undefined edition of an `Offer`, which JavaScript and a careless `!` let through. */
function existing(product: Product | undefined, operation: string): Product {
  if (product !== undefined) return product;
  throw new ChartpipeError(
    "missing", operation, "the site has no such edition", "Check that `shown` of the offer is not undefined",
  );
}

/** The currency of the whole catalogue; undefined when it lists no cycle. It expires soon only if it does not contain the next cycle. */
export function catalogCurrency(catalog: Catalog, now: Date, notice = usualNotice): Currency | undefined {
  const all = cycles(catalog);
  const own = cycleInForce(catalog, now);
  if (own === undefined) {
    const expired = all.filter((cycle) => cycle.expires <= now).pop();
    if (expired !== undefined) return { state: "expired", since: expired.expires };
    return all.length > 0 ? { state: "next", from: all[0].effective } : undefined;
  }
  const follows = all.some((cycle) => cycle.effective.getTime() === own.expires.getTime());
  return currencyOf(own.effective, own.expires, now, follows ? 0 : notice);
}

function currencyOf(effective: Date, expires: Date, now: Date, notice: number): Currency {
  if (now >= expires) return { state: "expired", since: expires };
  if (now < effective) return { state: "next", from: effective };
  if (now.getTime() >= expires.getTime() - notice) return { state: "expiresSoon", at: expires };
  return { state: "current", until: expires };
}

/** The cycles, the oldest first. */
export function cycles(catalog: Catalog): Cycle[] {
  return [catalog.previous, catalog.current, catalog.next]
    .filter((cycle): cycle is Cycle => cycle !== undefined)
    .sort((one, other) => one.effective.getTime() - other.effective.getTime());
}

/** The cycle in force at this instant, independent of its role in the catalogue; undefined when the site does not have it. */
export function cycleInForce(catalog: Catalog, now: Date): Cycle | undefined {
  return cycles(catalog).filter((cycle) => cycle.effective <= now && now < cycle.expires).pop();
}

/** The editions of a product at a given time. */
export interface Offer {
  /** The edition to show: the one in force, else the last expired one, with a warning. */
  shown?: Product;
  /** The edition in force. Of two with the same dates it is that of the later cycle. */
  inForce?: Product;
  /** The first future edition, to download in advance. */
  upcoming?: Product;
  /** The last expired edition. */
  expired?: Product;
  /** Why the cycle in force has no edition: the new one was held back. Undefined when it has one, or never had any. */
  held?: Held;
}

/** Returns the editions of a product at this instant, independent of the roles of the cycles. */
export function offer(catalog: Catalog, id: string, now: Date): Offer {
  const entries = catalog.products.filter((product) => product.id === id).sort(byDate);
  const inForce = last(entries, (entry) => entry.effectiveDate <= now && now < entry.expirationDate);
  const expired = last(entries, (entry) => entry.expirationDate <= now);
  return {
    shown: inForce ?? expired,
    inForce,
    upcoming: entries.find((entry) => entry.effectiveDate > now),
    expired,
    held: cycleInForce(catalog, now)?.held.find((each) => each.id === id),
  };
}

function byDate(one: Product, other: Product): number {
  const difference = one.effectiveDate.getTime() - other.effectiveDate.getTime();
  return difference !== 0 ? difference : cycleStart(one.cycle) - cycleStart(other.cycle);
}

function last<T>(items: T[], matches: (item: T) => boolean): T | undefined {
  return items.filter(matches).pop();
}

/**
 * Returns the forms of a chart of one edition, each as the latest cycle has it: the standard form first, then its variants by id. Choose
 * one by `format` and `tileSize`.
 *
 * @param product Any of the forms.
 */
export function forms(catalog: Catalog, product: Product): Product[] {
  const standard = product.variantOf ?? product.id;
  const rank = (each: Product) => (each.variantOf === undefined ? "" : each.id);
  const same = catalog.products
    .filter((each) => (each.variantOf ?? each.id) === standard && each.edition === product.edition);
  return [...new Map(same.map((each) => [each.id, each])).values()]
    .sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

/** Roles of files that only validation needs. */
const evidence = ["control", "reference", "columns", "samples"];

/**
 * Returns the files that an app needs: one archive of the tiles, and no files for validation.
 *
 * @param asPMTiles Prefer PMTiles to MBTiles.
 */
export function filesToGet(product: Product, asPMTiles = false): ProductFile[] {
  const { files } = existing(product, "choosing the files of a product");
  const roles = files.map((file) => file.role);
  const hasBoth = roles.includes("tiles") && roles.includes("pmtiles");
  const doubled = asPMTiles ? "tiles" : "pmtiles";
  return files.filter((file) => !evidence.includes(file.role) && !(hasBoth && file.role === doubled));
}

/** The form of a file to download: its gzip if there is one and `unpacking` is true, otherwise the file. */
export function downloadForm(file: ProductFile, unpacking: boolean): FileReference {
  return unpacking && file.gzip !== undefined && file.gzip.bytes < file.bytes ? file.gzip : file;
}

/** Whether the publisher has had time to replace a catalogue. A server may serve an old one for ever, with its valid signature. */
export type Validity =
  | { state: "fresh"; until: Date }
  /** There should be a newer one. Keep the data, with a prominent warning. */
  | { state: "expired"; since: Date }
  /** The publisher does not state it. */
  | { state: "unknown" };

/** Compares `expires` of the catalogue with the clock of the caller. */
export function validity(catalog: Catalog, now: Date): Validity {
  const { expires } = catalog;
  if (expires === undefined) return { state: "unknown" };
  return now < expires ? { state: "fresh", until: expires } : { state: "expired", since: expires };
}

/** A catalogue compared with those that the device accepted before. `replayed` is an old copy from a cache or an attacker. */
export type Freshness = "first" | "newer" | "same" | "replayed";

/** @param seen The highest serial that this device has ever accepted; undefined for the first. Store it permanently. */
export function freshness(catalog: Catalog, seen?: number): Freshness {
  if (seen === undefined) return "first";
  return catalog.serial === seen ? "same" : catalog.serial > seen ? "newer" : "replayed";
}
