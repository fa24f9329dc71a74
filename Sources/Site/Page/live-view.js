// The live channel on the map: areas of TFRs, flight categories, and a legend with their ages.

import { byID, colorOf, element } from "./elements.js";
import { FeatureLayer, mapFeatures } from "./feature-layer.js";
import { ageText, clockText, LiveChannel } from "./live.js";
import { timeText } from "./catalogue.js";

const LIVE_PERIOD = 60_000;
const TICK = 5_000;
const CATEGORIES = ["VFR", "MVFR", "IFR", "LIFR"];
const STALE = 2 * 3600_000;
/** A report of more than two hours ago says nothing about now. */
const wordOf = ({ category, observed }) => (CATEGORIES.includes(category) && !(Date.parse(observed) < Date.now() - STALE) ? category.toLowerCase() : "unknown");

const LIVE_LAYERS = [
  { id: "tfr/tfr", name: "TFRs", looks: tfrLooks, card: tfrCard, legend: tfrLegend },
  { id: "weather/metar", name: "Weather", looks: weatherLooks, card: weatherCard, legend: weatherLegend },
];

function tfrLooks() {
  const stroke = colorOf("--tfr");
  return ({ forDronesOnly, isTest, unconfirmed }) => ({
    stroke, ...(forDronesOnly || isTest ? { width: 1.5, dash: [5, 4], opacity: 0.8 } : { width: 2.5, fill: stroke, fillOpacity: 0.15 }), mark: unconfirmed ? "?" : "",
  });
}

function weatherLooks() {
  const colors = Object.fromEntries([...CATEGORIES, "unknown"].map((word) => [word.toLowerCase(), colorOf(`--${word.toLowerCase()}`)]));
  return (properties) => ({ radius: 5.5, fill: colors[wordOf(properties)] });
}

/** A time with its age, which the view counts on. */
const aged = (time) => (Number.isNaN(time) ? ["at an unknown time"] : [clockText(time), ", ", element("span", { "data-time": time }, ageText(time, Date.now()))]);

function tfrLegend({ fetched, document }, open) {
  const unplaced = document.filter(({ paths }) => !paths);
  const others = unplaced.length === 0 ? [] : ["; ", element("button", { type: "button", onclick: () => open(unplaced) }, `${unplaced.length} without an area`)];
  return [document.length === 0 ? "No TFRs" : "TFRs", " as of ", ...aged(fetched), ...others];
}

function weatherLegend({ observed }) {
  const key = [...CATEGORIES, "unknown"].map((word) => element("span", {}, element("i", { class: word.toLowerCase() }), word));
  return ["Weather observed ", ...aged(observed), element("span", { class: "key" }, key)];
}

/** `daily 1600-0200 UTC`, of the parts of an area's time that have hours. */
function hoursText(periods) {
  return (periods ?? []).filter(({ startTime }) => startTime).map(({ days, startTime, endTime }) => `${days ?? "daily"} ${startTime}-${endTime} UTC`).join("; ");
}

function tfrCard({ notam, type, areaName, text, effective, expires, periods, floor, ceiling, forDronesOnly, isTest, unconfirmed }, { fetched }) {
  const doubts = typeof unconfirmed === "string" ? ` (${unconfirmed})` : "";
  const notes = [isTest && "A test, no restriction.", forDronesOnly && "For drones only.", unconfirmed && `Unconfirmed${doubts}: read the NOTAM.`].filter(Boolean).join(" ");
  const end = (value) => (Number.isNaN(Date.parse(value)) ? value ?? "not stated" : timeText(value));
  return liveCard(`TFR ${notam}`, [type, areaName].filter(Boolean).join(" · "), { From: end(effective), Until: end(expires), Hours: hoursText(periods), Floor: floor, Ceiling: ceiling, Note: notes },
    text, ["As of ", ...aged(fetched)]);
}

function weatherCard({ station, category, raw, observed }) {
  return liveCard(`Weather at ${station}`, category ?? "No flight category", {}, raw, ["Observed ", ...aged(Date.parse(observed))]);
}

function liveCard(title, kind, values, text, times) {
  const rows = Object.entries(values).filter(([, value]) => value);
  return { title, content: [element("p", { class: "dates" }, kind), element("p", {}, times),
    element("dl", {}, rows.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)])), text && element("pre", {}, text)] };
}

/** Shows the snapshots while they are current by the clock of the browser. */
export class LiveView {
  #channel = new LiveChannel(LIVE_LAYERS.map(({ id }) => id), mapFeatures);
  #page;
  #loaded;
  #shown = "";
  layers;

  /** `page` has isShown(id), redraw() and open(cards). */
  constructor(page) {
    this.#page = page;
    this.layers = LIVE_LAYERS.map(({ id, looks }) => new FeatureLayer(() => (page.isShown(id) && this.#state(id).document) || [], looks));
  }

  /** Does nothing for a site without live.json. Otherwise calls `found` with each layer, and reads the channel again while the page is visible. */
  async start(found) {
    if (!(await this.#load())) return;
    LIVE_LAYERS.forEach(found);
    byID("live").hidden = false;
    this.update();
    setInterval(() => this.#tick(), TICK);
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  /** The cards of what is under a point. */
  cardsAt(...place) {
    return this.layers.flatMap((layer, index) => this.#cards(LIVE_LAYERS[index], layer.at(...place)));
  }

  #state(id) {
    return this.#channel.state(id, Date.now());
  }

  #cards({ id, card }, features) {
    const state = this.#state(id);
    return state.reason ? [] : features.map(({ properties }) => ({ id, ...card(properties, state) }));
  }

  #load() {
    this.#loaded = Date.now();
    return this.#channel.load();
  }

  async #tick() {
    this.update();
    if (document.hidden || Math.abs(Date.now() - this.#loaded) < LIVE_PERIOD) return;
    await this.#load();
    this.update();
  }

  /** Draws the map and the legend again if they are others than before, and counts the ages on. */
  update() {
    const states = LIVE_LAYERS.map((layer) => ({ ...layer, ...this.#state(layer.id) }));
    const shown = JSON.stringify(states.map(({ id, reason, product }) => [reason ?? product, this.#page.isShown(id)]));
    if (shown !== this.#shown) {
      byID("live").replaceChildren(...states.map((state) => this.#line(state)));
      const past = states.some(({ id, reason }) => reason && byID("card").querySelector(`[data-live="${id}"]`));
      if (past) byID("card").querySelector(".close").click();
      this.#page.redraw();
    }
    this.#shown = shown;
    for (const age of document.querySelectorAll("[data-time]")) age.textContent = ageText(Number(age.dataset.time), Date.now());
  }

  #line({ name, reason, legend, ...state }) {
    if (reason) return element("p", { class: "expired" }, `${name}: unconfirmed, ${reason}`);
    if (!this.#page.isShown(state.id)) return element("p", {}, `${name}: hidden`);
    return element("p", {}, legend(state, (features) => this.#page.open(this.#cards(state, features))));
  }
}
