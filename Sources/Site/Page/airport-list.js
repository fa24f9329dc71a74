// The list of airports beside vector tiles, in which the page searches: chartpipe-airports-1.

import { decompress } from "./pmtiles.js";

export const MOST_FOUND = 8;

/** The words that the FAA abbreviates, as in the stored query `airportsSearch`. */
export const ABBREVIATIONS = {
  international: "intl", regional: "rgnl", municipal: "muni", field: "fld", county: "co", memorial: "meml", executive: "exec", national: "ntl",
  metropolitan: "metro",
};
/** Words that most names do not have, though people type them. */
const GENERAL_WORDS = ["airport", "airfield", "field", "fld"];
export const STATES = {
  "alabama": "AL", "alaska": "AK", "arizona": "AZ", "arkansas": "AR", "california": "CA", "colorado": "CO", "connecticut": "CT", "delaware": "DE",
  "district of columbia": "DC", "florida": "FL", "georgia": "GA", "hawaii": "HI", "idaho": "ID", "illinois": "IL", "indiana": "IN", "iowa": "IA",
  "kansas": "KS", "kentucky": "KY", "louisiana": "LA", "maine": "ME", "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
  "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV", "new hampshire": "NH", "new jersey": "NJ",
  "new mexico": "NM", "new york": "NY", "north carolina": "NC", "north dakota": "ND", "ohio": "OH", "oklahoma": "OK", "oregon": "OR",
  "pennsylvania": "PA", "puerto rico": "PR", "rhode island": "RI", "south carolina": "SC", "south dakota": "SD", "tennessee": "TN", "texas": "TX",
  "utah": "UT", "vermont": "VT", "virginia": "VA", "washington": "WA", "west virginia": "WV", "wisconsin": "WI", "wyoming": "WY", "guam": "GU",
  "american samoa": "AS", "virgin islands": "VI", "northern mariana islands": "MP",
};
/** Shorter beginnings of a state's name, and of words that are written together, fit too many airports. */
const SHORTEST_BEGINNING = 3;

/** The lower-case words of a text: `o`, `hare` */
const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** The airports of a list: {icao, faaID, name, city, state, longitude, latitude, words}, the most important first. */
export function decodeAirports({ format, columns, airports }) {
  if (format !== "chartpipe-airports-1") throw new Error("the list of airports has a form that this page does not know");
  const names = columns.split(", ");
  return airports.map((values) => {
    const airport = Object.fromEntries(names.map((name, index) => [name, values[index] ?? undefined]));
    const { icao, faaID, name, city, state, searchWords } = airport;
    // FAA identifiers of three characters are also looked for with the K of an ICAO code: KF70.
    const code = faaID?.length === 3 && icao === faaID ? `K${faaID}` : undefined;
    const ownWords = wordsOf([icao, faaID, code, name, city, searchWords].filter(Boolean).join(" "));
    return { ...airport, ownWords, words: state ? [...ownWords, state.toLowerCase()] : ownWords };
  });
}

/** The FAA's abbreviation of a word, or of one that begins with it: `intl` for `internat`. */
function abbreviation(word) {
  const name = word.length > SHORTEST_BEGINNING ? Object.keys(ABBREVIATIONS).find((one) => one.startsWith(word)) : undefined;
  return ABBREVIATIONS[name];
}

const hasWord = (airport, word) =>
  airport.words.some((one) => one.startsWith(word)) || airport.ownWords.includes(abbreviation(word));

/** The words of the name and of the city from each of them on, written together: `sanfranciscointl`, `franciscointl`, `intl`. */
function joinedWords(airport) {
  airport.joined ??= [airport.name, airport.city].filter(Boolean).flatMap((text) => {
    const words = wordsOf(text);
    return words.map((_, index) => words.slice(index).join(""));
  });
  return airport.joined;
}

const hasJoinedWord = (airport, word) =>
  hasWord(airport, word) || (word.length > SHORTEST_BEGINNING && joinedWords(airport).some((one) => one.startsWith(word)));

/** Words without `airport` and the like, of which the last may be a beginning, unless nothing else is there. */
function withoutGeneralWords(words) {
  const rest = words.filter((word, index) => !GENERAL_WORDS.some((one) =>
    one === word || (index === words.length - 1 && word.length > 1 && one.startsWith(word))));
  return rest.length > 0 ? rest : words;
}

/** The words as they are, and without the state that they end with, which may be a beginning: [{words, states, isBegun}]. */
function readings(words) {
  const ended = [1, 2, 3].map((count) => {
    const end = words.slice(-count).join(" ");
    const names = end.length < SHORTEST_BEGINNING ? [] : Object.keys(STATES).filter((name) => name.startsWith(end));
    return { words: words.slice(0, -count), states: names.map((name) => STATES[name]), isBegun: !names.includes(end) };
  });
  return [{ words, isBegun: false }, ...ended.filter((reading) => reading.words.length > 0 && reading.states.length > 0)];
}

const fits = (airport, { words, states }, has) => (!states || states.includes(airport.state)) && words.every((word) => has(airport, word));

/** The words, and the words with each two neighbours joined: `mid way` is `midway`. */
function joinings(words) {
  return [words, ...words.slice(1).map((word, index) => [...words.slice(0, index), words[index] + word, ...words.slice(index + 2)])];
}

/** The airports that have the words of a text in the other ways in which people write them. */
function looselyFound(airports, words) {
  const ways = readings(words).flatMap((reading) => joinings(withoutGeneralWords(reading.words)).map((joined) => ({ ...reading, words: joined })));
  return airports.filter((airport) => ways.some((way) => fits(airport, way, hasJoinedWord)));
}

/**
 * The first airports that have a word beginning with each word of a text, perhaps before the name of their state; those with that
 * identifier come first. If they are few, those follow that have the words without `airport`, or apart or together.
 */
export function findAirports(airports, text) {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const named = withoutGeneralWords(words);
  const [whole] = named.length === 1 ? named : [];
  const rank = ({ icao, faaID }) => {
    const identifiers = [icao, faaID].filter(Boolean).map((one) => one.toLowerCase());
    return identifiers.includes(whole) ? 0 : identifiers.some((one) => whole && one.startsWith(whole)) ? 1 : 2;
  };
  const complete = readings(words).filter(({ isBegun }) => !isBegun);
  const direct = airports.filter((airport) => complete.some((reading) => fits(airport, reading, hasWord)));
  const found = direct.length >= MOST_FOUND ? direct : [...new Set([...direct, ...looselyFound(airports, words)])];
  return found.map((airport) => ({ airport, rank: rank(airport) })).sort((one, two) => one.rank - two.rank)
    .slice(0, MOST_FOUND).map(({ airport }) => airport);
}

/** Reads the list of a product once, when a person searches for the first time. */
export class AirportList {
  #file;
  #request;
  #loaded = null;

  constructor(product, request = (...all) => fetch(...all)) {
    this.product = product;
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
