import { screenPoint, worldBox } from "./mercator.js";

/** Draws the boxes of products, and finds them under a point. */
export class OutlineLayer {
  constructor(products, colors) {
    this.boxes = products.flatMap((product) =>
      (product.boundingBoxes ?? [product.boundingBox]).filter(Boolean).map((box) => ({ product, area: worldBox(box) })));
    this.colors = colors;
    this.chosen = null;
    /** The ids of the products that are shown; null for all. */
    this.filter = null;
  }

  #places({ area }, view, size) {
    return [-1, 0, 1].map((turn) => {
      const first = screenPoint(view, size, { x: area.left + turn, y: area.top });
      const last = screenPoint(view, size, { x: area.right + turn, y: area.bottom });
      return { left: first.x, top: first.y, width: last.x - first.x, height: last.y - first.y };
    }).filter(({ left, top, width, height }) => left < size.width && top < size.height && left + width > 0 && top + height > 0);
  }

  #isShown({ product }) {
    return product.id === this.chosen || this.filter === null || this.filter.has(product.id);
  }

  draw(context, view, size, scale) {
    const colors = this.colors();
    const shown = this.boxes.filter((box) => this.#isShown(box));
    const first = shown.filter(({ product }) => product.id !== this.chosen);
    for (const box of [...first, ...shown.filter(({ product }) => product.id === this.chosen)]) {
      const isChosen = box.product.id === this.chosen;
      for (const { left, top, width, height } of this.#places(box, view, size)) {
        const [x, y] = [Math.round(left * scale) + 0.5, Math.round(top * scale) + 0.5];
        context.lineWidth = (isChosen ? 3 : 1) * scale;
        context.strokeStyle = isChosen ? colors.chosen : colors.outline;
        context.strokeRect(x, y, Math.round(width * scale), Math.round(height * scale));
        if (width > 70 && height > 40) drawName(context, box.product.name, x, y, width * scale, scale, context.strokeStyle);
      }
    }
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

function drawName(context, name, x, y, width, scale, color) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, 24 * scale);
  context.clip();
  context.font = `600 ${12 * scale}px system-ui, sans-serif`;
  context.textAlign = "left";
  context.textBaseline = "top";
  const room = Math.min(width, context.measureText(name).width + 12 * scale);
  context.fillStyle = color;
  context.fillRect(x, y, room, 19 * scale);
  context.fillStyle = "#ffffff";
  context.fillText(name, x + 6 * scale, y + 3.5 * scale);
  context.restore();
}
