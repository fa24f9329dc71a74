import type { Catalog, Product } from "./catalog.js";
import { validity } from "./editions.js";

/** What may be said about a snapshot such as `tfr/tfr`. */
export type SnapshotState =
  | {
    state: "current";
    product: Product;
    /** When the source observed it. */
    observed: Date;
    /** When the publisher last confirmed it at its source. */
    fetched: Date;
    /** When it must no longer be used. */
    expires: Date;
    /** Milliseconds since it was observed. */
    age: number;
  }
  /** There is no present snapshot. This never means that there are no TFRs. */
  | { state: "unconfirmed"; reason: string };

/** A clock that is further behind a time of the publisher is wrong, in milliseconds. */
const clockTolerance = 5 * 60_000;

/** Returns the state of a snapshot of the live channel by the clock of the caller. */
export function snapshot(live: Catalog, id: string, now: Date): SnapshotState {
  const product = live.products.filter((each) => each.id === id).pop();
  if (validity(live, now).state !== "fresh") return unconfirmed("the list of snapshots has expired");
  if (product === undefined) {
    const held = live.held.find((each) => each.id === id);
    return unconfirmed(held === undefined ? "the site does not have it" : `the publisher has none now (${held.reason})`);
  }
  const { effectiveDate: observed, fetched = observed, expirationDate: expires } = product;
  const latest = Math.max(...[observed, fetched, live.issued ?? observed].map(Number));
  if (now.getTime() < latest - clockTolerance) return unconfirmed("the clock of this device is wrong");
  if (now >= expires) return unconfirmed("it has expired");
  return { state: "current", product, observed, fetched, expires, age: Math.max(0, now.getTime() - observed.getTime()) };
}

function unconfirmed(reason: string): SnapshotState {
  return { state: "unconfirmed", reason };
}
