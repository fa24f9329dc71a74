// The map, what is under the pointer, and the address that stores the position: #map=11/37.46/-122.11&cycle=2304&airport=KPAO

import { byID } from "./elements.js";
import { pointUnder, position } from "./mercator.js";
import { placeText } from "./words.js";

/** The map with a tenth around it as west,south,east,north. */
export function boxText({ view, size }) {
  const at = (x, y) => position(pointUnder(view, size, { x: x * size.width, y: y * size.height }));
  const [first, last] = [at(-0.1, -0.1), at(1.1, 1.1)];
  return [first.longitude, last.latitude, last.longitude, first.latitude].join(",");
}

export function showPlace({ latitude, longitude }) {
  byID("pointer").textContent = placeText(latitude, longitude);
}

/** Shows what is under the mouse, by the `tipAt` of layers from the top. */
export function showTips(map, layers) {
  const canvas = byID("map");
  canvas.addEventListener("pointermove", ({ offsetX: x, offsetY: y, buttons }) => {
    showPlace(position(pointUnder(map.view, map.size, { x, y })));
    showTip(map, layers, buttons ? null : { x, y });
  });
  canvas.addEventListener("pointerleave", () => showTip(map, layers, null));
}

export function showTip(map, layers, point) {
  const tip = byID("tip");
  const [text] = point ? layers.map((layer) => layer.tipAt(point)).filter(Boolean) : [];
  tip.hidden = !text;
  byID("map").classList.toggle("over", Boolean(text));
  if (!text) return;
  tip.textContent = text;
  const isRight = point.x > map.size.width / 2;
  tip.style.transform = `translate(${Math.round(point.x)}px, ${Math.round(point.y)}px) translate(${isRight ? "-100%" : "0"}, calc(-100% - 0.625rem))`;
}

export function readPlace() {
  const values = new URLSearchParams(location.hash.slice(1));
  const numbers = (values.get("map") ?? "").split("/").map(Number);
  const isPlace = numbers.length === 3 && numbers.every(Number.isFinite) && Math.abs(numbers[1]) < 86;
  return {
    view: isPlace ? { zoom: numbers[0], latitude: numbers[1], longitude: numbers[2] } : null,
    cycle: values.get("cycle"),
    airport: values.get("airport"),
  };
}

/** Replaces the address without an entry in the browser's history, so that going back leaves the page. */
export function keepPlace({ view, center }, cycle, airport) {
  const zoom = Number(view.zoom.toFixed(2));
  const parts = [`map=${zoom}/${center.latitude.toFixed(4)}/${center.longitude.toFixed(4)}`, `cycle=${cycle}`];
  if (airport) parts.push(`airport=${encodeURIComponent(airport)}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
}
