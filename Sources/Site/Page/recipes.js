import { element } from "./elements.js";
import { mapArchive } from "./catalogue.js";

/** The texts about using each kind of file, with the addresses of this site. */
export function recipes(catalogue) {
  const root = new URL(".", location.href).href;
  const files = catalogue.products.flatMap((product) => product.files.map((file) => ({ product, file })));
  const ending = (text) => files.find(({ file }) => file.path.endsWith(text))?.file.path;
  const chart = catalogue.products.find((product) => product.kind === "chart" && mapArchive(product));
  const archive = chart ? mapArchive(chart).path : ending(".pmtiles");
  const made = [];
  if (archive) made.push(maplibre(root), leaflet(root + archive));
  if (ending(".mbtiles")) made.push(qgis(root + ending(".mbtiles")), mbtiles());
  if (ending(".sqlite")) made.push(sqlite());
  return [...made, updates(root)];
}

function recipe(title, text, code) {
  return element("details", { class: "recipe" }, element("summary", {}, title), element("p", {}, text), element("pre", {}, element("code", {}, code)));
}

function maplibre(root) {
  return recipe("MapLibre (PMTiles)",
    "With the libraries maplibre-gl and pmtiles. The style lists every map of this site; tiles are read by range requests.",
    `maplibregl.addProtocol("pmtiles", new pmtiles.Protocol().tile);
const style = await (await fetch("${root}style.json")).json();
for (const source of Object.values(style.sources)) {
  source.tiles = source.tiles.map((tile) => tile.replace("pmtiles://blobs/", "pmtiles://${root}blobs/"));
}
new maplibregl.Map({ container: "map", style });`);
}

function leaflet(address) {
  return recipe("Leaflet (PMTiles)", "With the libraries leaflet and pmtiles.",
    `const archive = new pmtiles.PMTiles("${address}");
pmtiles.leafletRasterLayer(archive).addTo(map);`);
}

function qgis(address) {
  return recipe("QGIS and GDAL (MBTiles)",
    "QGIS: Layer, Add Raster Layer, Protocol HTTP(S), with this address; or drag the downloaded file into the map.",
    `${address}
gdalinfo /vsicurl/${address}`);
}

function mbtiles() {
  return recipe("MBTiles", "An SQLite file with one row for each tile, for apps that keep charts offline. Rows count from the south.",
    `SELECT tile_data FROM tiles
WHERE zoom_level = 10 AND tile_column = 163 AND tile_row = (1 << 10) - 1 - 396;`);
}

function sqlite() {
  return recipe("SQLite", "Airports, airspace and navaids, with R-trees for positions and full-text search.",
    `SELECT icao, name FROM airports JOIN airports_rtree r ON airports.rowid = r.id
WHERE r.minLat <= 37.6 AND r.maxLat >= 37.3 AND r.minLon <= -121.9 AND r.maxLon >= -122.3;`);
}

function updates(root) {
  return recipe("Check, and stay current",
    "latest.json says in a few kilobytes whether there is something new. Each file's name is its SHA-256: compare it after the download.",
    `curl -s ${root}latest.json
sha256sum San_Francisco.mbtiles`);
}
