import { colorOf } from "./elements.js";
import { screenPoint, turnsInView, wholeBox, worldBox } from "./mercator.js";
import { drawPaths, placer } from "./paths.js";
import { overlap, TakenPlaces } from "./taken-places.js";

/**
 * Draws the boxes of products, or the `paths` of those that have them, and finds products under a point. A product with a `tag`
 * ({word, text}) has the text beside its name where there is room, and the colour of the word: `current`, `expired` or `coming`.
 */
export class OutlineLayer {
  /** `controls()` returns the rectangles of the map that something else covers: no name is under them. */
  constructor(products, controls = () => []) {
    this.controls = controls;
    this.boxes = products.filter(wholeBox).map((product) => ({ product, area: worldBox(wholeBox(product)) }));
    this.chosen = null;
    /** The ids of the products that are shown; null for all. */
    this.filter = null;
  }

  #places({ area }, view, size) {
    return turnsInView(view, size, area).map((turn) => {
      const first = screenPoint(view, size, { x: area.left + turn, y: area.top });
      const last = screenPoint(view, size, { x: area.right + turn, y: area.bottom });
      return { turn, left: first.x, top: first.y, width: last.x - first.x, height: last.y - first.y };
    }).filter(({ top, height }) => top < size.height && top + height > 0);
  }

  #isShown({ product }) {
    return product.id === this.chosen || this.filter === null || this.filter.has(product.id);
  }

  draw(context, view, size, scale) {
    const colors = { current: colorOf("--outline"), expired: colorOf("--bad"), coming: colorOf("--soon") };
    const shown = this.boxes.filter((box) => this.#isShown(box));
    const isChosen = ({ product }) => product.id === this.chosen;
    const names = [];
    for (const box of [...shown.filter((one) => !isChosen(one)), ...shown.filter(isChosen)]) {
      const { tag } = box.product;
      const look = isChosen(box) ? { stroke: colorOf("--chosen"), width: 3 } : { stroke: colors[tag?.word] ?? colors.current, width: 1 };
      for (const { turn, left, top, width, height } of this.#places(box, view, size)) {
        const [x, y] = [Math.round(left * scale) + 0.5, Math.round(top * scale) + 0.5];
        if (box.product.paths) drawPaths(context, box.product, look, placer(view, size, turn, scale), scale);
        else {
          context.lineWidth = look.width * scale;
          context.strokeStyle = look.stroke;
          context.strokeRect(x, y, Math.round(width * scale), Math.round(height * scale));
        }
        const { name } = box.product;
        const texts = tag ? [`${name} · ${tag.text}`, name] : [name];
        if (height > 40) names.push({ texts, box: { x, y, width: width * scale, height: height * scale }, color: look.stroke });
      }
    }
    const covered = this.controls().map((rect) => Object.fromEntries(Object.entries(rect).map(([side, value]) => [side, value * scale])));
    drawNames(context, names.reverse(), scale, covered);
  }

  /** The products under a screen point, the smallest first. */
  productsAt(screen, view, size) {
    const hits = this.boxes.filter((box) => this.#isShown(box)).flatMap((box) =>
      this.#places(box, view, size)
        .filter(({ left, top, width, height }) =>
          screen.x >= left && screen.x <= left + width && screen.y >= top && screen.y <= top + height)
        .map(({ width, height }) => ({ product: box.product, size: width * height })));
    const products = hits.sort((one, two) => one.size - two.size).map(({ product }) => product);
    return [...new Set(products)];
  }
}

/** Where a plate is in its box: in the upper left corner, or else beside or below the control that covers that. Undefined without room. */
export function platePlace(box, { width, height }, covered) {
  const isFree = (plate) => !covered.some((control) => overlap(control, plate));
  const corner = { x: box.x, y: box.y, width, height };
  const control = covered.find((one) => overlap(one, corner));
  const places = control ? [{ ...corner, x: control.x + control.width }, { ...corner, y: control.y + control.height }] : [corner];
  return places.find((plate) => isFree(plate) && plate.x + width <= box.x + box.width && plate.y + height <= box.y + box.height);
}

/** Draws names on plates, without those that have no room in their boxes or would cover an earlier one. */
function drawNames(context, names, scale, covered) {
  context.font = `600 ${12 * scale}px system-ui, sans-serif`;
  context.textAlign = "left";
  context.textBaseline = "top";
  const places = new TakenPlaces();
  for (const { texts, box, color } of names) {
    const plates = texts.map((text) => ({ text, ...platePlace(box, { width: context.measureText(text).width + 12 * scale, height: 19 * scale }, covered) }));
    const plate = plates.find(({ width }) => width);
    if (!plate || !places.take(plate)) continue;
    context.fillStyle = color;
    context.fillRect(plate.x, plate.y, plate.width, plate.height);
    context.fillStyle = colorOf("--card");
    context.fillText(plate.text, plate.x + 6 * scale, plate.y + 3.5 * scale);
  }
}
