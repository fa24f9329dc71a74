// The card of one airport in the panel.

import { byID, element } from "./elements.js";
import { grouped, placeText } from "./words.js";

export function showCard(airport, goThere, close) {
  const card = byID("card");
  card.replaceChildren(
    element("div", { class: "card-head" },
      element("h2", {}, element("b", {}, airport.icao), ` ${airport.name}`),
      element("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×")),
    element("p", { class: "soft" }, [airport.city, airport.state].filter(Boolean).join(", ")),
    element("p", { class: "tags" }, tags(airport).map((tag) => element("span", { class: "tag" }, tag))),
    facts(airport), runways(airport), frequencies(airport), remarks(airport),
    element("button", { type: "button", class: "plain", onclick: goThere }, "Go there"));
  card.hidden = false;
  byID("lists").hidden = true;
  byID("panel-body").scrollTop = 0;
  card.focus({ preventScroll: true });
}

export function hideCard() {
  byID("card").hidden = true;
  byID("lists").hidden = false;
}

function tags(airport) {
  const identifiers = airport.faaID === airport.icao ? [] : [airport.faaID];
  const status = airport.status && airport.status !== "operational" ? ["closed"] : [];
  return [...identifiers, airport.tower ? "tower" : "no tower", `${airport.use ?? "unknown"} use`, airport.type, ...status];
}

function facts(airport) {
  const variation = airport.variation;
  const rows = [
    ["Elevation", airport.elevation === null ? null : `${grouped(airport.elevation)} ft`],
    ["Pattern", airport.pattern === null ? null : `${grouped(airport.pattern)} ft above ground`],
    ["Variation", variation === null ? null : `${Math.abs(variation)}° ${variation < 0 ? "W" : "E"}`],
    ["Fuel", (airport.fuel ?? []).join(", ")],
    ["Chart", airport.chart],
    ["Position", airport.lat === null ? null : placeText(airport.lat, airport.lon)],
  ].filter(([, value]) => value);
  return element("dl", { class: "facts" }, rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function runways(airport) {
  if (airport.runways.length === 0) return null;
  const rows = airport.runways.map((runway) => {
    const size = [runway.length, runway.width].filter(Boolean).map(grouped).join(" × ");
    const ground = [runway.surface, runway.lighting === "none" ? null : "lighted"].filter(Boolean).join(", ");
    return element("tr", {}, element("th", { scope: "row" }, runway.id), element("td", {}, size ? `${size} ft` : "–"),
      element("td", {}, ground, element("span", { class: "soft" }, runway.ends.map(endText).filter(Boolean).join("; "))));
  });
  return element("section", {}, element("h3", {}, "Runways"), element("table", { id: "runways" }, element("tbody", {}, rows)));
}

/** Describes the unusual properties of a runway's ends: 31 right traffic, threshold 240 ft in. */
function endText(end) {
  const facts = [
    end.traffic === "right" ? "right traffic" : null,
    end.displaced ? `threshold ${grouped(end.displaced)} ft in` : null,
  ].filter(Boolean);
  return facts.length === 0 ? "" : `${end.id} ${facts.join(", ")}`;
}

function frequencies(airport) {
  if (airport.frequencies.length === 0) return null;
  const groups = Map.groupBy(airport.frequencies, (row) => row.type);
  const rows = [...groups].map(([type, list]) => {
    const texts = new Set(list.map((row) => row.frequency.toFixed(3).replace(/0{1,2}$/, "")));
    return element("tr", {}, element("th", { scope: "row" }, type === "ctaf" || type === "atis" ? type.toUpperCase() : type),
      element("td", {}, [...texts].join("  ")));
  });
  return element("section", {}, element("h3", {}, "Frequencies"), element("table", { id: "frequencies" }, element("tbody", {}, rows)));
}

function remarks(airport) {
  if (airport.remarks.length === 0) return null;
  const items = airport.remarks.map((row) => {
    const about = row.element ? element("b", {}, `${row.element}: `) : null;
    return element("li", {}, about, row.remark);
  });
  return element("details", {}, element("summary", {}, `Remarks (${items.length})`), element("ul", { class: "remarks" }, items));
}
