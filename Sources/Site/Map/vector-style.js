// How the layers of vector tiles look: like a chart, and in colours that are readable over one.

const COLORS = {
  light: {
    blue: "#1f4f9a", magenta: "#9a2a6b", grey: "#6b7280", airway: "#7aa0cf", green: "#2f7d4f", brown: "#8a5a1a", violet: "#4a4a9c",
    runway: "#374151", fix: "#4f6f52", paper: "#ffffff", pale: "#dbeafe", halo: "#ffffff",
  },
  dark: {
    blue: "#7fb0ff", magenta: "#f08cc4", grey: "#9aa7b6", airway: "#55779f", green: "#6fcf97", brown: "#e0b070", violet: "#aba6ff",
    runway: "#c7d0da", fix: "#8fbf95", paper: "#202a35", pale: "#24405f", halo: "#202a35",
  },
};

/** The colours of a scheme. Charts are light in both. */
export const mapColors = (isDark) => COLORS[isDark ? "dark" : "light"];

const isOne = (value, ...words) => words.includes(value);

export function airspaceLook({ class: kind, floorText }, { blue, magenta, grey }) {
  switch (kind) {
    case "bravo": return { stroke: blue, width: 2.5 };
    case "charlie": return { stroke: magenta, width: 2 };
    case "delta": return { stroke: blue, width: 1.5, dash: [6, 4] };
    case "echo": return floorText === "SFC" ? { stroke: magenta, width: 1.3, dash: [6, 4] } : { stroke: magenta, width: 4, opacity: 0.3 };
    case "moa": case "alert": return { stroke: magenta, width: 1.3, fill: magenta };
    case "nationalSecurity": return { stroke: magenta, width: 3, dash: [8, 5] };
    default:
      return isOne(kind, "prohibited", "restricted", "warning")
        ? { stroke: blue, width: 1.3, fill: blue } : { stroke: grey, width: 1 };
  }
}

function airportLook({ isTowered, isHard, icao, type }, { blue, magenta, paper }) {
  const color = isTowered ? blue : magenta;
  const isHeliport = isOne(type, "heliport", "vertiport");
  return { radius: isHeliport ? 2.5 : 5, stroke: color, fill: isHard ? color : paper, label: isHeliport ? "" : icao, labelZoom: 8 };
}

/**
 * From the bottom to the top. `look` makes stroke, width, dash and fill of lines and areas; radius, colours, label and symbol of points,
 * from properties and colours. `from` is the first zoom of a view that shows a feature, if the tiles have it earlier.
 */
export const VECTOR_STYLES = [
  { layer: "airspaces", group: "airspaces", look: airspaceLook },
  { layer: "airways", group: "airways", look: (_, { airway }) => ({ stroke: airway, width: 1 }) },
  { layer: "procedures", group: "procedures", look: ({ kind }, { green, brown, violet }) => ({ stroke: { sid: green, star: brown }[kind] ?? violet, width: 1 }) },
  { layer: "runways", group: "airports", look: (_, { runway }) => ({ stroke: runway, width: 2.5 }), from: ({ isHard }) => (isHard ? 0 : 10) },
  {
    layer: "obstacles", group: "obstacles",
    look: ({ heightAGL }, { blue }) => ({ symbol: "peak", radius: heightAGL >= 1000 ? 5 : 3.5, stroke: blue }),
    from: ({ heightAGL }) => (heightAGL >= 300 ? 0 : heightAGL >= 200 ? 10 : 11),
  },
  {
    layer: "fixes", group: "navaids",
    look: ({ type }, { magenta, fix, paper }) => ({ radius: 2, stroke: type === "vfr" ? magenta : fix, fill: paper }),
    from: ({ type }) => (isOne(type, "vfr", "reportingPoint") ? 0 : type === "waypoint" ? 10 : 11),
  },
  { layer: "navaids", group: "navaids", look: ({ identifier }, { blue, pale }) => ({ radius: 4, stroke: blue, fill: pale, label: identifier, labelZoom: 9 }) },
  { layer: "airports", group: "airports", look: airportLook, from: ({ status = "operational" }) => (status === "operational" ? 0 : 10) },
];

/** What a person can show and hide, with the legend: the name of a look, its layer, and the properties that have it. */
export const VECTOR_GROUPS = [
  {
    id: "airports", name: "Airports", legend: [
      ["with a tower", "airports", { isTowered: true, isHard: true }], ["without a tower", "airports", { isHard: true }],
      ["no hard runway", "airports", {}],
    ],
  },
  {
    id: "airspaces", name: "Airspace", legend: [
      ["class B", "airspaces", { class: "bravo" }], ["class C", "airspaces", { class: "charlie" }], ["class D", "airspaces", { class: "delta" }],
      ["E from the surface", "airspaces", { class: "echo", floorText: "SFC" }], ["E above", "airspaces", { class: "echo" }],
      ["restricted, prohibited, warning", "airspaces", { class: "restricted" }], ["MOA, alert", "airspaces", { class: "moa" }],
    ],
  },
  { id: "navaids", name: "Navaids and fixes", legend: [["navaid", "navaids", {}], ["fix", "fixes", {}], ["VFR waypoint", "fixes", { type: "vfr" }]] },
  { id: "airways", name: "Airways", legend: [["airway", "airways", {}]] },
  { id: "obstacles", name: "Obstacles", legend: [["obstacle", "obstacles", {}], ["1,000 ft and more", "obstacles", { heightAGL: 1000 }]] },
  {
    id: "procedures", name: "Procedures", legend: [
      ["departure", "procedures", { kind: "sid" }], ["arrival", "procedures", { kind: "star" }], ["approach", "procedures", { kind: "approach" }],
    ],
  },
];
