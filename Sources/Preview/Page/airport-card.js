// The card of one airport in the panel.

import { byID, el, grouped, placeText } from "./words.js";

export function showCard(airport, goThere, close) {
  const card = byID("card");
  card.replaceChildren(
    el("div", { class: "card-head" },
      el("h2", {}, el("b", {}, airport.icao), ` ${airport.name}`),
      el("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×")),
    el("p", { class: "soft" }, [airport.city, airport.state].filter(Boolean).join(", ")),
    el("p", { class: "tags" }, tags(airport).map((tag) => el("span", { class: "tag" }, tag))),
    facts(airport), runways(airport), frequencies(airport), remarks(airport),
    el("button", { type: "button", class: "plain", onclick: goThere }, "Go there"));
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
  return el("dl", { class: "facts" }, rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function runways(airport) {
  if (airport.runways.length === 0) return null;
  const rows = airport.runways.map((runway) => {
    const size = [runway.length, runway.width].filter(Boolean).map(grouped).join(" × ");
    const ground = [runway.surface, runway.lighting === "none" ? null : "lighted"].filter(Boolean).join(", ");
    return el("tr", {}, el("th", { scope: "row" }, runway.id), el("td", {}, size ? `${size} ft` : "–"),
      el("td", {}, ground, el("span", { class: "soft" }, runway.ends.map(endText).filter(Boolean).join("; "))));
  });
  return el("section", {}, el("h3", {}, "Runways"), el("table", { id: "runways" }, el("tbody", {}, rows)));
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
    return el("tr", {}, el("th", { scope: "row" }, type === "ctaf" || type === "atis" ? type.toUpperCase() : type),
      el("td", {}, [...texts].join("  ")));
  });
  return el("section", {}, el("h3", {}, "Frequencies"), el("table", { id: "frequencies" }, el("tbody", {}, rows)));
}

function remarks(airport) {
  if (airport.remarks.length === 0) return null;
  const items = airport.remarks.map((row) => {
    const about = row.element ? el("b", {}, `${row.element}: `) : null;
    return el("li", {}, about, row.remark);
  });
  return el("details", {}, el("summary", {}, `Remarks (${items.length})`), el("ul", { class: "remarks" }, items));
}
