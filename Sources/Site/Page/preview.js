// What the catalogue of `chartpipe preview` has besides: the archives that its server reads, and their neatlines.

import { worldPoint } from "./mercator.js";
import { mapArchive } from "./catalogue.js";
import { PMTilesArchive, RangeReader } from "./pmtiles.js";

/** The archive of a product that the map can read; undefined if there is none. */
export function openArchive(product, preview) {
  const file = preview ? product.files.find(({ path }) => preview.archives[path]) : mapArchive(product);
  if (!file) return undefined;
  return file.path.endsWith(".pmtiles") ? new PMTilesArchive(new RangeReader(file.path)) : new ServedArchive(file.path);
}

/** An archive whose tiles the server reads: MBTiles. */
class ServedArchive {
  #address;

  constructor(path) {
    this.#address = `tiles/${encodeURI(path)}`;
  }

  async tile(z, x, y, signal) {
    const response = await fetch(`${this.#address}/${z}/${x}/${y}`, { signal });
    if (response.status === 204) return null;
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new Error((await response.json()).error);
  }
}

/** The neatline of a chart as `paths` of an outline; without it, the outline is the chart's box. */
export function withNeatline(product, preview) {
  const rings = product.files.map(({ path }) => preview?.archives[path]?.neatline).find((one) => one?.length > 0);
  if (!rings) return product;
  const lines = rings.flatMap((ring) => pieces(ring, product.boundingBoxes?.length > 1));
  return { ...product, shape: "line", paths: lines.map((line) => line.map(([longitude, latitude]) => worldPoint(longitude, latitude))) };
}

/** A ring as lines. Across 180 degrees, the edges there are left out, and the west comes after the east. */
function pieces(ring, isAcross) {
  if (!isAcross) return [ring];
  const isAtEnd = ([x]) => Math.abs(x) > 179.9999;
  const lines = [[]];
  ring.forEach((place, index) => {
    if (index > 0 && isAtEnd(place) && isAtEnd(ring[index - 1])) lines.push([]);
    lines.at(-1).push([place[0] < 0 ? place[0] + 360 : place[0], place[1]]);
  });
  return lines.filter((line) => line.length > 1);
}
