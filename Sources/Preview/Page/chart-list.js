// The list of charts in the panel: by pipeline, each with a check box and a link to its place.

import { byID, day, el } from "./words.js";

export function listCharts(cycle, layers, goTo) {
  const groups = Map.groupBy(cycle.charts, (chart) => chart.id.split("/")[0]);
  const sections = [...groups].map(([pipeline, charts]) => groupOf(pipeline, charts, layers, goTo));
  if (sections.length === 0) sections.push(el("p", { class: "soft" }, "There is no chart in this cycle."));
  byID("chart-list").replaceChildren(...sections);
}

function groupOf(pipeline, charts, layers, goTo) {
  const rows = charts.map((chart) => rowOf(chart, layers, goTo));
  const ticks = rows.map((row) => row.querySelector("input"));
  const all = el("input", { type: "checkbox", "aria-label": `All of ${pipeline}` });
  const settle = () => {
    const shown = ticks.filter((tick) => tick.checked).length;
    all.checked = shown === ticks.length;
    all.indeterminate = shown > 0 && shown < ticks.length;
  };
  all.addEventListener("change", () => {
    for (const tick of ticks.filter((tick) => tick.checked !== all.checked && !tick.disabled)) tick.click();
  });
  settle();
  const list = el("ul", { class: "charts", onchange: settle }, rows);
  return el("details", { class: "group", open: true }, el("summary", {}, all, el("span", {}, pipeline),
    el("span", { class: "soft" }, `${charts.length}`)), list);
}

function rowOf(chart, layers, goTo) {
  const tick = el("input", {
    type: "checkbox", "aria-label": `Show ${chart.name}`, disabled: Boolean(chart.problem),
    onchange: () => layers.setHidden(chart.id, !tick.checked),
  });
  tick.checked = !chart.problem && !layers.hidden.has(chart.id);
  const isOld = Date.parse(chart.expires) <= Date.now();
  const facts = `${day(chart.effective)}${isOld ? ", expired" : ""} · zoom ${chart.minZoom}–${chart.maxZoom}`;
  const name = el("button", { type: "button", class: "name", "data-chart": chart.id, onclick: () => goTo(chart) },
    el("span", {}, chart.name), el("span", { class: "soft" }, facts));
  const problem = chart.problem ? el("p", { class: "problem" }, chart.problem) : null;
  return el("li", {}, tick, name, problem);
}
