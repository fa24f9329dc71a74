// The live channel of a site: snapshots such as TFRs and weather, which the publisher replaces every few minutes.

/** A clock that is further behind a time of the publisher is wrong. */
const CLOCK_TOLERANCE = 5 * 60_000;
/** What servers answer for a file that they do not have. */
const ABSENT = [403, 404, 410];

/**
 * What may be said about a snapshot by a clock: {product, observed, fetched, expires} if it is current, {reason} if it is unconfirmed.
 * Unconfirmed never means that there are no TFRs.
 */
export function snapshotState(live, id, now) {
  if (!live) return { reason: "live.json cannot be read" };
  if (!(now < Date.parse(live.expires))) return { reason: "the list of snapshots has expired" };
  const product = live.products.findLast((one) => one.id === id);
  if (!product) {
    const held = live.held?.find((one) => one.id === id);
    return { reason: held ? `the publisher has none now (${held.reason})` : "the site does not have it" };
  }
  const { effectiveDate, fetched = effectiveDate, expirationDate } = product;
  const state = { product, observed: Date.parse(effectiveDate), fetched: Date.parse(fetched), expires: Date.parse(expirationDate) };
  // A date that cannot be read fails both comparisons.
  const latest = Math.max(state.observed, state.fetched, Date.parse(live.issued));
  if (!(now >= latest - CLOCK_TOLERANCE)) return { reason: "the clock of this device is wrong" };
  return now < state.expires ? state : { reason: "it has expired" };
}

/** `17:56 UTC` */
export function clockText(time) {
  return `${new Date(time).toISOString().slice(11, 16)} UTC`;
}

/** `3 min ago` */
export function ageText(time, now) {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return "just now";
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ${minutes % 60} min ago`;
}

/** Reads the live channel, and the GeoJSON of its snapshots. */
export class LiveChannel {
  #ids;
  #read;
  #live = null;
  /** What `read` made of the GeoJSON, by its path. */
  #documents = new Map();

  constructor(ids, read) {
    [this.#ids, this.#read] = [ids, read];
  }

  /**
   * Reads live.json and the files that it names; returns whether the site has one. After an error of the network, the snapshots of
   * before stay until their own dates.
   */
  async load() {
    const response = await fetch("live.json", { cache: "no-cache" }).catch(() => null);
    if (ABSENT.includes(response?.status)) this.#live = null;
    else if (response?.ok) await response.json().then((live) => this.#accept(live)).catch(() => (this.#live = null));
    return !ABSENT.includes(response?.status);
  }

  /** The state of a snapshot, and what was read of it. */
  state(id, now) {
    const state = snapshotState(this.#live, id, now);
    if (state.reason) return state;
    const document = this.#documents.get(geoJSONPath(state.product));
    return document ? { ...state, document } : { reason: "its file cannot be read" };
  }

  async #accept(live) {
    if (live.format !== "chartpipe-catalog-1") throw new Error("it is no catalogue");
    if (live.serial < this.#live?.serial) return;
    const products = live.products.filter(({ id }) => this.#ids.includes(id));
    const documents = await Promise.all(products.map(geoJSONPath).map(async (path) => [path, await this.#document(path)]));
    [this.#live, this.#documents] = [live, new Map(documents)];
  }

  async #document(path) {
    const response = this.#documents.get(path) ? null : await fetch(path).catch(() => null);
    return response?.ok ? response.json().then(this.#read).catch(() => null) : this.#documents.get(path);
  }
}

const geoJSONPath = ({ files }) => files.find(({ path }) => path.endsWith(".geojson"))?.path;
