import { colorOf } from "./elements.js";
import { position, worldSide } from "./mercator.js";

const EARTH_NAUTICAL_MILES = 21638.8;
const LONGEST_BAR = 110;

/** Draws a round number of nautical miles as a bar, of the length that it has in the middle of the map. */
export class ScaleLayer {
  draw(context, view, size, scale) {
    const miles = (EARTH_NAUTICAL_MILES * Math.cos((position(view).latitude * Math.PI) / 180)) / worldSide(view.zoom);
    const power = 10 ** Math.floor(Math.log10(miles * LONGEST_BAR));
    const length = power * [5, 2, 1].find((factor) => factor * power <= miles * LONGEST_BAR);
    const bar = length / miles;
    context.save();
    context.setTransform(scale, 0, 0, scale, (size.width - bar - 12) * scale, (size.height - 10) * scale);
    context.fillStyle = colorOf("--plate");
    context.fillRect(-6, -21, bar + 12, 26);
    context.strokeStyle = context.fillStyle = colorOf("--ink");
    context.lineWidth = 1.5;
    context.stroke(new Path2D(`M0-4V0H${bar}V-4`));
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.fillText(`${Number(length.toPrecision(1))} NM`, bar / 2, -7);
    context.restore();
  }
}
