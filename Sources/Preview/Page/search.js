// The search box: airports from the database, charts by their names.

import { byID, element } from "./elements.js";
import { getJSON } from "./words.js";

export class Search {
  /** @param choose is called with an airport or a chart. */
  constructor(choose) {
    this.choose = choose;
    this.found = [];
    this.active = -1;
    this.input = byID("search");
    this.list = byID("found");
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("blur", () => this.close());
  }

  show(cycle) {
    this.cycle = cycle;
    this.close();
  }

  async look() {
    const typed = this.input.value.trim();
    this.request?.abort();
    this.request = new AbortController();
    if (!typed) return this.close();
    const charts = this.cycle.charts.filter((chart) => chart.name.toLowerCase().includes(typed.toLowerCase()));
    let airports = [];
    if (this.cycle.database && !this.cycle.database.problem) {
      try {
        const answer = await getJSON("/search.json", { cycle: this.cycle.id, q: typed }, this.request.signal);
        airports = answer.airports;
      } catch (error) {
        if (error.name === "AbortError") return;
      }
    }
    this.offer([...airports.map((airport) => ({ airport })), ...charts.slice(0, 6).map((chart) => ({ chart }))]);
  }

  offer(found) {
    this.found = found;
    this.list.replaceChildren(...found.map((item, index) => element("li", {
      role: "option", id: `found-${index}`,
      // Runs before the box loses the focus.
      onpointerdown: (event) => { event.preventDefault(); this.take(index); },
    }, ...words(item))));
    if (found.length === 0) this.list.replaceChildren(element("li", { class: "soft" }, "Nothing of that name."));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.point(found.length > 0 ? 0 : -1);
  }

  point(index) {
    this.active = index;
    [...this.list.children].forEach((row, number) => row.setAttribute("aria-selected", String(number === index)));
    if (index < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", `found-${index}`);
    this.list.children[index].scrollIntoView({ block: "nearest" });
  }

  async press(event) {
    const count = this.found.length;
    if (event.key === "ArrowDown" && count) this.point((this.active + 1) % count);
    else if (event.key === "ArrowUp" && count) this.point((this.active + count - 1) % count);
    else if (event.key === "Enter" && count && this.active >= 0) this.take(this.active);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  take(index) {
    const item = this.found[index];
    this.input.value = "";
    this.close();
    this.input.blur();
    this.choose(item);
  }

  close() {
    this.request?.abort();
    this.found = [];
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

function words({ airport, chart }) {
  if (chart) return [element("span", {}, chart.name), element("span", { class: "soft" }, "chart")];
  const town = [airport.city, airport.state].filter(Boolean).join(", ");
  return [element("span", {}, element("b", {}, airport.icao), ` ${airport.name}`), element("span", { class: "soft" }, town)];
}
