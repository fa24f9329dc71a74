import { screenPoint, turnsInView } from "./mercator.js";

const MARK_RADIUS = 13;

/** Draws a ring around the place that is chosen: a world point; null for none. */
export class MarkLayer {
  place = null;

  draw(context, view, size, scale) {
    if (!this.place) return;
    for (const turn of turnsInView(view, size, { left: this.place.x, right: this.place.x })) {
      const { x, y } = screenPoint(view, size, { x: this.place.x + turn, y: this.place.y });
      for (const [width, color] of [[6, "#17202c"], [3, "#ffd33d"]]) {
        context.beginPath();
        context.arc(x * scale, y * scale, MARK_RADIUS * scale, 0, 2 * Math.PI);
        [context.lineWidth, context.strokeStyle] = [width * scale, color];
        context.stroke();
      }
    }
  }
}
