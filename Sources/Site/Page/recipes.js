import { element } from "./elements.js";
import { homeBox } from "./home-box.js";
import { wholeBox, worldPoint } from "./mercator.js";
import { downloadName, mapArchive } from "./catalogue.js";

/** The texts about using each kind of file, with the addresses of this site. */
export function recipes(catalogue) {
  const root = new URL(".", location.href).href;
  const charts = catalogue.products.filter(({ kind }) => kind === "chart");
  const rasters = charts.map((product) => ({ product, file: product.files.find(({ path }) => path.endsWith(".mbtiles")) }));
  const [mbtiles] = rasters.filter(({ file }) => file);
  const onMap = catalogue.products.filter((product) => mapArchive(product) && product.boundingBox);
  const [chart] = onMap.filter(({ kind }) => kind === "chart");
  const hasAirports = catalogue.products.some(({ kind, build }) => kind === "database" && build?.counts?.airports !== undefined && build.counts.legs === undefined);
  return [
    onMap.length > 0 && maplibre(root, homeBox((chart ? charts : onMap).map(wholeBox).filter(Boolean))),
    chart && leaflet(root + mapArchive(chart).path, wholeBox(chart), chart),
    mbtiles && qgis(root + mbtiles.file.path),
    mbtiles && tileQuery(mbtiles),
    hasAirports && sqlite(),
    updates(root, mbtiles),
  ].filter(Boolean);
}

function recipe(title, text, code) {
  return element("details", { class: "recipe" }, element("summary", {}, title), element("p", {}, text), element("pre", {}, element("code", {}, code)));
}

const degrees = (...values) => values.map((value) => Number(value.toFixed(2))).join(", ");

function maplibre(root, { west, south, east, north }) {
  return recipe("MapLibre (PMTiles)",
    "With the libraries maplibre-gl and pmtiles. The style lists every map of this site; tiles are read by range requests. It shows no dates: take them from catalog.json, and mark what has expired.",
    `maplibregl.addProtocol("pmtiles", new pmtiles.Protocol().tile);
const style = await (await fetch("${root}style.json")).json();
for (const source of Object.values(style.sources)) {
  source.tiles = source.tiles.map((tile) => tile.replace("pmtiles://blobs/", "pmtiles://${root}blobs/"));
}
new maplibregl.Map({ container: "map", style, bounds: [${degrees(west, south, east, north)}] });`);
}

function leaflet(address, { west, south, east, north }, { maxZoom }) {
  return recipe("Leaflet (PMTiles)",
    "With the libraries leaflet and pmtiles. The address is that of one edition: take it from catalog.json, since the next edition has another, and show its dates.",
    `const map = L.map("map").fitBounds([[${degrees(south, west)}], [${degrees(north, east)}]]);
const archive = new pmtiles.PMTiles("${address}");
const options = { maxNativeZoom: ${maxZoom}, maxZoom: ${maxZoom + 2}, attribution: (await archive.getMetadata()).attribution };
pmtiles.leafletRasterLayer(archive, options).addTo(map);`);
}

function qgis(address) {
  return recipe("QGIS and GDAL (MBTiles)",
    "QGIS: Layer, Add Raster Layer, Protocol HTTP(S), with this address; or drag the downloaded file into the map.",
    `${address}
gdalinfo /vsicurl/${address}`);
}

/** The query of a tile in the middle of a chart. */
function tileQuery({ product, file }) {
  const { west, south, east, north } = wholeBox(product);
  const { x, y } = worldPoint((west + east) / 2, (south + north) / 2);
  const count = 2 ** product.maxZoom;
  const [column, row] = [Math.floor((x - Math.floor(x)) * count), Math.floor(y * count)];
  return recipe("MBTiles", "An SQLite file with one row for each tile, for apps that keep charts offline. Rows count from the south.",
    `-- ${downloadName(product, file)}: the tile ${product.maxZoom}/${column}/${row} of a web map
SELECT tile_data FROM tiles
WHERE zoom_level = ${product.maxZoom} AND tile_column = ${column} AND tile_row = (1 << ${product.maxZoom}) - 1 - ${row};`);
}

function sqlite() {
  return recipe("SQLite", "Airports, airspace and navaids, with R-trees for positions and full-text search.",
    `SELECT icao, name FROM airports JOIN airports_rtree r ON airports.id = r.id
WHERE r.minLat <= 37.6 AND r.maxLat >= 37.3 AND r.minLon <= -121.9 AND r.maxLon >= -122.3;
SELECT icao, name FROM airports_fts WHERE airports_fts MATCH 'palo alto' ORDER BY rank;`);
}

function updates(root, mbtiles) {
  const lines = [`curl -s ${root}latest.json`];
  if (mbtiles) {
    const name = downloadName(mbtiles.product, mbtiles.file);
    lines.push(`curl -s -o ${name} ${root}${mbtiles.file.path}`, `echo "${mbtiles.file.sha256}  ${name}" | sha256sum --check`);
  }
  return recipe("Check, and stay current",
    "latest.json says in a few kilobytes whether there is something new. Each file's name is its SHA-256: compare it after the download.",
    lines.join("\n"));
}
