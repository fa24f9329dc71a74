import { screenPoint } from "./mercator.js";

const FILL_OPACITY = 0.08;

/** A function from world points to pixels of a canvas, at one turn of the earth. */
export function placer(view, size, turn, scale) {
  return ({ x, y }) => {
    const onScreen = screenPoint(view, size, { x: x + turn, y });
    return [onScreen.x * scale, onScreen.y * scale];
  };
}

/** Draws the lines of a feature: its paths, and with the shape "area" also what is inside. `look` has stroke, width, and may have dash, fill, fillOpacity and opacity. */
export function drawPaths(context, feature, look, place, scale) {
  context.beginPath();
  for (const path of feature.paths) path.forEach((point, index) => context[index ? "lineTo" : "moveTo"](...place(point)));
  const opacity = context.globalAlpha;
  if (look.fill && feature.shape === "area") {
    context.globalAlpha = opacity * (look.fillOpacity ?? FILL_OPACITY);
    context.fillStyle = look.fill;
    context.fill("evenodd");
  }
  context.globalAlpha = opacity * (look.opacity ?? 1);
  context.lineJoin = "round";
  context.setLineDash((look.dash ?? []).map((length) => length * scale));
  context.lineWidth = look.width * scale;
  context.strokeStyle = look.stroke;
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = opacity;
}

/** Draws a point as a circle or a peak. `edge` is the width of its line. */
export function drawPoint(context, { symbol, radius, fill, stroke }, [x, y], size, edge) {
  context.beginPath();
  if (symbol === "peak") {
    [[-0.6, 1], [0, -1], [0.6, 1]].forEach(([right, down]) => context.lineTo(x + right * radius * size, y + down * radius * size));
  } else {
    context.arc(x, y, radius * size, 0, 2 * Math.PI);
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
  }
  context.lineWidth = edge;
  context.strokeStyle = stroke;
  context.stroke();
}
