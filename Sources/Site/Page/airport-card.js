// The card beside the map, and that of an airport from the vector tiles.

import { byID, element } from "./elements.js";
import { dayText, timeText, validity } from "./catalogue.js";
import { position } from "./mercator.js";
import { decodeVectorTile } from "./mvt.js";

/** Less than runways are from the position of their airport, as a share of the earth's girth: four kilometres at the equator. */
const RUNWAY_REACH = 1e-4;

/** What the tiles of the deepest zoom have around a place of an airport: {longitude, latitude, runways, frequencies, remarks}. */
export async function readAirport({ archive, product }, icao, { x, y }) {
  const count = 2 ** product.maxZoom;
  const cells = (middle) => [...new Set([-RUNWAY_REACH, RUNWAY_REACH].map((reach) => Math.floor((middle + reach) * count)))];
  const tiles = await Promise.all(cells(y).flatMap((row) => cells(x).map(async (column) => {
    const bytes = await archive.tile(product.maxZoom, ((column % count) + count) % count, row);
    return { row, column, layers: bytes ? decodeVectorTile(bytes) : new Map() };
  })));
  const found = (name, matches) => tiles.flatMap(({ row, column, layers }) => {
    const { features = [], extent } = layers.get(name) ?? {};
    return features.filter(({ properties }) => matches(properties)).map(({ properties, paths: [[point]] }) =>
      ({ ...properties, ...position({ x: (column + point[0] / extent) / count, y: (row + point[1] / extent) / count }) }));
  });
  const runways = new Map(found("runways", ({ airport }) => airport === icao).map((runway) => [runway.id, runway]));
  const [airport] = found("airports", (properties) => properties.icao === icao);
  const [{ frequencies, remarks } = {}] = found("airportNotes", (properties) => properties.airport === icao);
  return { ...position({ x, y }), ...airport, frequencies, remarks, runways: [...runways.values()].sort((one, two) => two.length - one.length) };
}

/** Shows an airport and the cards of other things at its place. The data are of a product. */
export function showCard(airport, product, goThere, cards, closed) {
  const source = `${dayText(product.effectiveDate)} – ${dayText(product.expirationDate)}. Not for navigation.`;
  const content = [expiryWarning(product), element("p", { class: "dates" }, [airport.city, airport.state].filter(Boolean).join(", ")),
    element("p", {}, kinds(airport).join(" · ")), facts(airport), ...frequencyTable(airport), runwayTable(airport.runways), ...remarkList(airport.remarks),
    element("p", { class: "dates" }, source),
    element("button", { type: "button", class: "plain", onclick: goThere }, "Go there")];
  openCard([{ title: [element("b", {}, airport.icao), ` ${airport.name}`], content }, ...cards], closed);
}

/** A warning that a product has expired. It is hidden until then. */
export function expiryWarning(product) {
  const { expirationDate } = product;
  return element("p", { class: "warning", hidden: validity(product, Date.now()) !== "expired", "data-expires": expirationDate },
    `Expired on ${timeText(expirationDate)}. Do not navigate by it.`);
}

/** Shows the warnings of what has expired since its card was opened. */
export function showExpiryWarnings() {
  for (const warning of document.querySelectorAll("[data-expires]")) warning.hidden = Date.now() < Date.parse(warning.dataset.expires);
}

let whenReplaced = () => {};

/**
 * Shows cards, each with a title, elements and perhaps the `id` of a snapshot, one below the other. `closed` is called when a person closes
 * them or opens others.
 */
export function openCard(cards, closed = () => {}) {
  const card = byID("card");
  whenReplaced();
  whenReplaced = closed;
  const opener = card.contains(document.activeElement) ? byID("map") : document.activeElement;
  const close = () => {
    if (card.contains(document.activeElement)) opener.focus({ preventScroll: true });
    card.hidden = true;
    whenReplaced();
    whenReplaced = () => {};
  };
  card.replaceChildren(element("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×"),
    ...cards.map(({ id, title, content }) => element("section", { "data-live": id }, element("h2", {}, title), content)));
  card.hidden = false;
  // The whole of a long card would hide the map of a telephone.
  card.querySelector("h2").scrollIntoView({ block: "nearest" });
  card.focus({ preventScroll: true });
}

const feet = (number) => `${Math.round(number).toLocaleString("en-US")} ft`;
const megahertz = (number) => number.toFixed(3).replace(/0{1,2}$/, "");

function kinds({ icao, faaID, isTowered, use, type, status }) {
  const closed = status && status !== "operational" ? ["closed"] : [];
  return [...(faaID && faaID !== icao ? [faaID] : []), isTowered ? "tower" : "no tower", `${use ?? "unknown"} use`, type, ...closed];
}

function facts({ elevation, hasFuel, hasBeaconLight, latitude, longitude }) {
  return definitions([
    ["Elevation", elevation === undefined ? null : feet(elevation)],
    ["Fuel", hasFuel ? "yes" : "no"],
    ["Beacon", hasBeaconLight ? "yes" : "no"],
    ["Position", placeText(latitude, longitude)],
  ]);
}

function definitions(rows, title) {
  const shown = rows.filter(([, value]) => value);
  return element("dl", { "aria-label": title }, shown.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

const CALLS = { ctaf: "CTAF", atis: "ATIS", awos: "AWOS", unicom: "UNICOM", multicom: "MULTICOM" };

/** The frequencies by their use, from `tower 118.6; ground 125.0; ground 121.7`: [["Tower", "118.6"], ["Ground", "125.0, 121.7"]] */
export function frequencyRows({ frequencies, ctafFrequency, unicomFrequency }) {
  const rows = new Map();
  const known = [["ctaf", ctafFrequency], ["unicom", unicomFrequency]].filter(([, value]) => value).map(([use, value]) => `${use} ${value}`);
  for (const [use, value] of (frequencies?.split("; ") ?? known).map((one) => one.split(" "))) {
    const name = CALLS[use] ?? use.charAt(0).toUpperCase() + use.slice(1);
    rows.set(name, [...(rows.get(name) ?? []), megahertz(Number(value))]);
  }
  return [...rows].map(([name, values]) => [name, values.join(", ")]);
}

function frequencyTable(airport) {
  const rows = frequencyRows(airport);
  return rows.length === 0 ? [] : [element("h3", {}, "Frequencies, MHz"), definitions(rows, "Frequencies")];
}

function remarkList(remarks) {
  if (!remarks) return [];
  return [element("h3", {}, "Remarks"), element("ul", { class: "remarks" }, remarks.split("\n").map((remark) => element("li", {}, remark)))];
}

function runwayTable(runways) {
  if (runways.length === 0) return null;
  const rows = runways.map(({ id, length, width, surface, lighting }) => element("tr", {}, element("th", { scope: "row" }, id),
    element("td", {}, length ? `${[length, width].filter(Boolean).map((side) => side.toLocaleString("en-US")).join(" × ")} ft` : "–"),
    element("td", {}, [surface, lighting && lighting !== "none" ? "lighted" : null].filter(Boolean).join(", "))));
  return element("table", { id: "runways" }, element("caption", {}, element("h3", {}, "Runways")), element("tbody", {}, rows));
}

/** Degrees and minutes as on a chart's border: 37°27.67′ N */
function placeText(latitude, longitude) {
  const turned = longitude - 360 * Math.floor((longitude + 180) / 360);
  return `${degreesText(latitude, "N", "S")}  ${degreesText(turned, "E", "W")}`;
}

function degreesText(value, positive, negative) {
  const minutes = Math.round(Math.abs(value) * 6000) / 100;
  return `${Math.floor(minutes / 60)}°${(minutes % 60).toFixed(2).padStart(5, "0")}′ ${value < 0 ? negative : positive}`;
}
