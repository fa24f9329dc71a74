// The list of airports beside vector tiles, in which the page searches: chartpipe-airports-1.

import { decompress } from "./pmtiles.js";

export const MOST_FOUND = 8;

/** The lower-case words of a text: `o`, `hare` */
const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** The airports of a list: {icao, faaID, name, city, state, longitude, latitude, words}, the most important first. */
export function decodeAirports({ format, columns, airports }) {
  if (format !== "chartpipe-airports-1") throw new Error("the list of airports has a form that this page does not know");
  const names = columns.split(", ");
  return airports.map((values) => {
    const airport = Object.fromEntries(names.map((name, index) => [name, values[index] ?? undefined]));
    const { icao, faaID, name, city, state, searchWords } = airport;
    return { ...airport, words: wordsOf([icao, faaID, name, city, state, searchWords].filter(Boolean).join(" ")) };
  });
}

/** The first airports that have a word beginning with each word of a text; those with that identifier come first. */
export function findAirports(airports, text) {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const [whole] = words.length === 1 ? words : [];
  const rank = ({ icao, faaID }) => {
    const identifiers = [icao, faaID].filter(Boolean).map((one) => one.toLowerCase());
    return identifiers.includes(whole) ? 0 : identifiers.some((one) => whole && one.startsWith(whole)) ? 1 : 2;
  };
  const found = airports.filter((airport) => words.every((word) => airport.words.some((one) => one.startsWith(word))));
  return found.map((airport) => ({ airport, rank: rank(airport) })).sort((one, two) => one.rank - two.rank)
    .slice(0, MOST_FOUND).map(({ airport }) => airport);
}

/** Reads the list of a product once, when a person searches for the first time. */
export class AirportList {
  #file;
  #request;
  #loaded = null;

  constructor(product, request = (...all) => fetch(...all)) {
    this.#file = product?.files.find(({ role }) => role === "json");
    this.#request = request;
  }

  get isEmpty() {
    return !this.#file;
  }

  /** The airports; none for a product without a list. */
  airports() {
    if (!this.#file) return Promise.resolve([]);
    this.#loaded ??= this.#load().catch((error) => {
      this.#loaded = null;
      throw error;
    });
    return this.#loaded;
  }

  async find(text) {
    return findAirports(await this.airports(), text);
  }

  async airport(icao) {
    return (await this.airports()).find((airport) => airport.icao === icao);
  }

  async #load() {
    const response = await this.#request(this.#file.gzip?.path ?? this.#file.path);
    if (!response.ok) throw new Error(`the server answers ${response.status} for the list of airports`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // A server that sends a .gz file with its encoding makes the browser decompress it.
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return decodeAirports(JSON.parse(new TextDecoder().decode(isPacked ? await decompress(bytes, "gzip") : bytes)));
  }
}
