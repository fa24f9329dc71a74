// How the layers of vector tiles look: like a chart, in colours that are readable over one.

const BLUE = "#1f4f9a";
const MAGENTA = "#9a2a6b";
const GREY = "#6b7280";

const isOne = (value, ...words) => words.includes(value);

export function airspaceLook({ class: kind, floorText }) {
  switch (kind) {
    case "bravo": return { stroke: BLUE, width: 2.5 };
    case "charlie": return { stroke: MAGENTA, width: 2 };
    case "delta": return { stroke: BLUE, width: 1.5, dash: [6, 4] };
    case "echo": return floorText === "SFC" ? { stroke: MAGENTA, width: 1.3, dash: [6, 4] } : { stroke: MAGENTA, width: 4, opacity: 0.15 };
    case "moa": case "alert": return { stroke: MAGENTA, width: 1.3, fill: MAGENTA };
    case "nationalSecurity": return { stroke: MAGENTA, width: 3, dash: [8, 5] };
    default:
      return isOne(kind, "prohibited", "restricted", "warning")
        ? { stroke: BLUE, width: 1.3, fill: BLUE } : { stroke: GREY, width: 1 };
  }
}

function airportLook({ isTowered, isHard, icao, type }) {
  const color = isTowered ? BLUE : MAGENTA;
  const isHeliport = isOne(type, "heliport", "vertiport");
  return { radius: isHeliport ? 2.5 : 5, stroke: color, fill: isHard ? color : "#ffffff", label: isHeliport ? "" : icao, labelZoom: 8 };
}

/** From the bottom to the top. `look` gives stroke, width, dash and fill of lines and areas; radius, colours, label and symbol of points. */
export const VECTOR_STYLES = [
  { layer: "airspaces", look: airspaceLook },
  { layer: "airways", look: () => ({ stroke: "#7aa0cf", width: 1 }) },
  { layer: "procedures", look: ({ kind }) => ({ stroke: { sid: "#2f7d4f", star: "#8a5a1a" }[kind] ?? "#4a4a9c", width: 1 }) },
  { layer: "runways", look: () => ({ stroke: "#374151", width: 2.5 }) },
  {
    layer: "obstacles",
    look: ({ heightAGL }) => ({ symbol: "peak", radius: heightAGL >= 1000 ? 5 : 3.5, stroke: BLUE }),
  },
  { layer: "fixes", look: ({ type }) => ({ radius: 2, stroke: type === "vfr" ? MAGENTA : "#4f6f52", fill: "#ffffff" }) },
  { layer: "navaids", look: ({ identifier }) => ({ radius: 4, stroke: BLUE, fill: "#dbeafe", label: identifier, labelZoom: 9 }) },
  { layer: "airports", look: airportLook },
];
