// The list of charts in the panel: by pipeline, each with a check box and a link to its place.

import { byID, element } from "./elements.js";
import { day } from "./words.js";

export function listCharts(cycle, layers, goTo) {
  const groups = Map.groupBy(cycle.charts, (chart) => chart.id.split("/")[0]);
  const sections = [...groups].map(([pipeline, charts]) => groupOf(pipeline, charts, layers, goTo));
  if (sections.length === 0) sections.push(element("p", { class: "soft" }, "There is no chart in this cycle."));
  const filter = cycle.charts.length < fewest ? [] : [filterOf(cycle, sections, goTo)];
  byID("chart-list").replaceChildren(...filter, ...sections);
}

/** The number of charts from which a filter helps. */
const fewest = 8;

/** Hides the charts without the typed words. Enter shows the first one that is left, Escape shows all again. */
function filterOf(cycle, sections, goTo) {
  const status = element("p", { class: "soft", role: "status" });
  const rows = sections.flatMap((section) => [...section.querySelectorAll("li")]);
  const apply = () => {
    const words = input.value.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
    const shown = rows.filter((row) => {
      const name = row.querySelector("[data-chart]");
      const text = `${name.dataset.chart} ${name.textContent}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      return !row.hidden;
    });
    for (const section of sections) {
      section.hidden = [...section.querySelectorAll("li")].every((row) => row.hidden);
    }
    status.textContent = words.length === 0 ? "" : shown.length === 0 ? "No chart has this name." : `${shown.length} of ${rows.length} charts`;
    return shown;
  };
  const input = element("input", {
    id: "chart-filter", type: "search", placeholder: `Filter ${cycle.charts.length} charts`, "aria-label": "Filter the charts by name",
    autocomplete: "off", spellcheck: "false", maxlength: 80, oninput: apply,
    onkeydown: (event) => {
      if (event.key === "Escape" && input.value) input.value = "";
      else if (event.key !== "Enter") return;
      event.preventDefault();
      const [first] = apply();
      const id = event.key === "Enter" && first?.querySelector("[data-chart]").dataset.chart;
      if (id) goTo(cycle.charts.find((chart) => chart.id === id));
    },
  });
  return element("div", { class: "filter" }, input, status);
}

function groupOf(pipeline, charts, layers, goTo) {
  const rows = charts.map((chart) => rowOf(chart, layers, goTo));
  const ticks = rows.map((row) => row.querySelector("input"));
  const all = element("input", { type: "checkbox", "aria-label": `All of ${pipeline}` });
  const settle = () => {
    const shown = ticks.filter((tick) => tick.checked).length;
    all.checked = shown === ticks.length;
    all.indeterminate = shown > 0 && shown < ticks.length;
  };
  all.addEventListener("change", () => {
    for (const tick of ticks.filter((tick) => tick.checked !== all.checked && !tick.disabled)) tick.click();
  });
  settle();
  const list = element("ul", { class: "charts", onchange: settle }, rows);
  return element("details", { class: "group", open: true }, element("summary", {}, all, element("span", {}, pipeline),
    element("span", { class: "soft" }, `${charts.length}`)), list);
}

function rowOf(chart, layers, goTo) {
  const tick = element("input", {
    type: "checkbox", "aria-label": `Show ${chart.name}`, disabled: Boolean(chart.problem),
    onchange: () => layers.setHidden(chart.id, !tick.checked),
  });
  tick.checked = !chart.problem && !layers.hidden.has(chart.id);
  const isOld = Date.parse(chart.expires) <= Date.now();
  const facts = `${day(chart.effective)}${isOld ? ", expired" : ""} · zoom ${chart.minZoom}–${chart.maxZoom}`;
  const name = element("button", { type: "button", class: "name", "data-chart": chart.id, onclick: () => goTo(chart) },
    element("span", {}, chart.name), element("span", { class: "soft" }, facts));
  const problem = chart.problem ? element("p", { class: "problem" }, chart.problem) : null;
  return element("li", {}, tick, name, problem);
}
