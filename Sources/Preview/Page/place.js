// The map, and the address that stores its position: #map=11/37.46/-122.11&cycle=2304&airport=KPAO

import { byID, placeText } from "./words.js";

export function makeMap() {
  const map = L.map("map", { zoomControl: false, worldCopyJump: true, minZoom: 1, maxZoom: 18, zoomSnap: 0.5 });
  map.attributionControl.setPrefix("Leaflet").addAttribution("Not for navigation");
  L.control.zoom({ position: "topright" }).addTo(map);
  L.control.scale({ position: "bottomright", imperial: false }).addTo(map);
  // From the bottom to the top.
  const panes = ["graticule", "before", "now", "outlines", "airspace", "runways", "airports"];
  panes.forEach((name, index) => (map.createPane(name).style.zIndex = 200 + index * 20));
  showPointer(map);
  // Names of charts would cover each other.
  map.on("zoomend", () => map.getContainer().classList.toggle("far", map.getZoom() < 4.5));
  return map;
}

function showPointer(map) {
  const output = byID("pointer");
  const show = ({ lat, lng }) => (output.textContent = placeText(lat, lng));
  map.on("mousemove", (event) => show(event.latlng));
  map.on("move", () => show(map.getCenter()));
}

/** Draws meridians and parallels for orientation where there is no chart. */
export function drawGraticule(map) {
  const renderer = L.svg({ pane: "graticule", padding: 0.5 });
  const lines = L.layerGroup().addTo(map);
  const draw = () => {
    lines.clearLayers();
    const step = [10, 10, 10, 10, 5, 5, 2, 1, 1, 0.5][Math.floor(map.getZoom())] ?? 0.25;
    const box = map.getBounds().pad(0.5);
    const [south, north] = [Math.max(box.getSouth(), -85), Math.min(box.getNorth(), 85)];
    const add = (from, to) => lines.addLayer(
      L.polyline([from, to], { renderer, pane: "graticule", className: "graticule", interactive: false }));
    for (let x = Math.ceil(box.getWest() / step) * step; x <= box.getEast(); x += step) add([south, x], [north, x]);
    for (let y = Math.ceil(south / step) * step; y <= north; y += step) add([y, box.getWest()], [y, box.getEast()]);
  };
  map.on("moveend", draw);
}

export function readPlace() {
  const values = new URLSearchParams(location.hash.slice(1));
  const numbers = (values.get("map") ?? "").split("/").map(Number);
  const isPlace = numbers.length === 3 && numbers.every(Number.isFinite) && Math.abs(numbers[1]) < 86;
  return {
    view: isPlace ? { zoom: numbers[0], center: [numbers[1], numbers[2]] } : null,
    cycle: values.get("cycle"),
    airport: values.get("airport"),
  };
}

/** Replaces the address without an entry in the browser's history, so that going back leaves the page. */
export function keepPlace(map, cycle, airport) {
  const center = map.getCenter().wrap();
  const parts = [`map=${map.getZoom()}/${center.lat.toFixed(4)}/${center.lng.toFixed(4)}`, `cycle=${cycle}`];
  if (airport) parts.push(`airport=${encodeURIComponent(airport)}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
}
