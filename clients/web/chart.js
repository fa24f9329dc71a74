// Finds a chart of a published site for the pages of this folder, shows its dates above the map, and explains what is missing.

/**
 * Reads the catalogue, shows the bar, and calls `draw` with the chart and `warn`, which writes a problem into the bar. A message takes the
 * place of the map if there is no chart.
 *
 * `defaults.site` is the address of the site, and `defaults.chart` the product. The page's own address may
 * replace every default: `?site=https://charts.example.org/vfr/&chart=vfr-sectional/United_States`.
 */
export async function showChart(defaults, draw) {
  const options = { ...defaults, ...Object.fromEntries(new URLSearchParams(location.search)) };
  try {
    options.site = siteAddress(options.site);
    const catalogue = await readCatalogue(new URL("catalog.json", options.site));
    const charts = editions(catalogue.products.filter((product) => product.minZoom !== undefined && product.format !== "vectortiles"));
    const product = charts.find((product) => product.id === options.chart);
    // Without a template, the page reads PMTiles. A template without {chart} is that of one chart.
    const shown = options.tiles ? charts.filter((chart) => chart === product || options.tiles.includes("{chart}")) : charts.filter(archiveOf);
    const warn = showBar(shown, product, catalogue.expires);
    if (!product) throw new Problem(`The site has no chart "${options.chart}". ${shown.length ? "Select one above." : "It has no chart that this page can show."}`);
    const chart = options.tiles ? { tiles: template(options.tiles, product), attribution: options.attribution } : await openArchive(product, options.site);
    document.getElementById("map").replaceChildren();
    draw({ ...chart, warn, box: boxOf(product), minZoom: product.minZoom, maxZoom: product.maxZoom });
  } catch (error) {
    showMessage(error instanceof Problem ? error.message : `This page could not show the chart: ${error.message}`);
  }
}

/** What the reader of the page can correct. */
class Problem extends Error {}

/** The folder of the site, with a slash at its end. */
function siteAddress(text) {
  if (!/^https?:\/\/[^/]/.test(text)) throw new Problem(`"${text}" is not the address of a site: it begins with http:// or https://.`);
  return text.replace(/\/*$/, "/");
}

async function readCatalogue(address) {
  let answer;
  try {
    // The server lets it be cached for a minute. It names the archives by their hashes, so read it at each visit.
    answer = await fetch(address);
  } catch {
    throw new Problem(`${address} could not be read. Check the address of the site, and that its server allows other origins (CORS).`);
  }
  if (!answer.ok) throw new Problem(`${address}: the server answered ${answer.status}. Check the address of the site.`);
  try {
    return await answer.json();
  } catch {
    throw new Problem(`${address} is not a catalogue. Check the address of the site.`);
  }
}

function state(product) {
  if (Date.now() < Date.parse(product.effectiveDate)) return "upcoming";
  return Date.now() < Date.parse(product.expirationDate) ? "current" : "expired";
}

/** One edition of each product, by name: the one in force, else the last that has expired, else the next one. */
function editions(products) {
  const rank = (product) => ["upcoming", "expired", "current"].indexOf(state(product));
  const age = (product) => Date.parse(product.effectiveDate) * (state(product) === "upcoming" ? -1 : 1);
  const sorted = [...products].sort((a, b) => rank(a) - rank(b) || age(a) - age(b));
  return [...new Map(sorted.map((product) => [product.id, product])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const archiveOf = (product) => product.files.find((file) => file.role === "pmtiles");

/** The box in the order of a map. East of the date line it has degrees above 180. */
function boxOf({ boundingBox: { west, south, east, north } }) {
  return { west, south, east: east < west ? east + 360 : east, north };
}

const template = (tiles, product) => tiles.replace("{chart}", product.id.replaceAll("/", "-")).replace("{format}", product.format);

async function openArchive(product, site) {
  const file = archiveOf(product);
  if (!file) {
    const forms = product.files.map((file) => `.${file.path.split(".").pop()}`).join(" and ");
    throw new Problem(`The site has "${product.id}" as ${forms} only, and this page reads PMTiles. Add "pmtiles" to the archives in the `
      + "definition of the chart, or show the tiles of a tile server with leaflet-tiles.html.");
  }
  const archive = new pmtiles.PMTiles(String(new URL(file.path, site)));
  try {
    await archive.getHeader();
    return { archive, attribution: escaped((await archive.getMetadata()).attribution ?? "") };
  } catch (error) {
    throw new Problem(`${archive.source.getKey()} could not be read: ${error.message}. Its server must answer ranges.`);
  }
}

/** Map libraries take the attribution as HTML, and it comes from the site. */
const escaped = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Returns a function that writes a problem into the bar, or removes it. */
function showBar(charts, product, catalogueExpires) {
  const menu = document.createElement("select");
  menu.ariaLabel = "Chart";
  if (!product || !charts.includes(product)) menu.add(new Option(product?.name ?? "Select a chart", "", true, true));
  for (const each of charts) menu.add(new Option(`${each.name} (${each.id.split("/")[0]})`, each.id, false, each === product));
  menu.onchange = () => {
    const address = new URL(location.href);
    address.searchParams.set("chart", menu.value);
    location.href = address;
  };
  const dates = document.createElement("span"), warning = document.createElement("span"), stale = document.createElement("span"), problem = document.createElement("span");
  const refresh = () => {
    warning.className = product ? state(product) : "";
    warning.textContent = { expired: "Expired. Do not navigate by it.", upcoming: "Not in force yet.", current: "In force." }[warning.className] ?? "";
    stale.textContent = Date.now() > Date.parse(catalogueExpires ?? "") ? "The list of charts is out of date: there should be a newer one." : "";
  };
  if (product) dates.textContent = `${day(product.effectiveDate)} to ${day(product.expirationDate)}`;
  stale.className = "stale";
  [problem.className, problem.role] = ["problem", "status"];
  refresh();
  setInterval(refresh, 60_000);
  document.getElementById("bar").append(menu, dates, warning, stale, problem);
  return (text) => { problem.textContent = text; };
}

const day = (time) => `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;

function showMessage(text) {
  const message = document.createElement("p");
  message.id = "message";
  message.role = "alert";
  message.textContent = text;
  document.getElementById("map").replaceChildren(message);
}
