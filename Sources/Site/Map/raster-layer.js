import { tilesInView, wholeBox, worldBox } from "./mercator.js";
import { TileCache } from "./tile-cache.js";

/** How far a layer is drawn beyond its smallest zoom, and with how many tiles: each step takes four times as many. */
const STEPS_OUT = 4;
const TILES_OUT = 200;
const STEPS_TO_ANCESTOR = 5;
const IMAGE_TYPES = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp", avif: "image/avif" };

/** Draws the pictures of an archive on a canvas. */
export class RasterLayer {
  constructor(archive, product, changed, failed) {
    this.product = product;
    this.area = worldBox(wholeBox(product));
    const type = IMAGE_TYPES[product.format] ?? "image/png";
    const decode = (bytes) => createImageBitmap(new Blob([bytes], { type }));
    this.cache = new TileCache(archive, decode, changed, failed);
  }

  /** The zoom whose tiles have about as many pixels as the screen. */
  #zoom(view, scale) {
    const wanted = Math.round(view.zoom + Math.log2((scale * 256) / (this.product.tileSize ?? 256)));
    return Math.max(this.product.minZoom, Math.min(this.product.maxZoom, wanted));
  }

  /** The zoom below which it draws nothing. */
  get firstZoom() {
    return this.product.minZoom - STEPS_OUT;
  }

  draw(context, view, size, scale) {
    const zoom = this.#zoom(view, scale);
    if (view.zoom < this.firstZoom) return this.cache.want([]);
    const tiles = tilesInView(view, size, zoom, this.area);
    if (view.zoom < this.product.minZoom && tiles.length > TILES_OUT) return this.cache.want([]);
    this.cache.want([...tiles, ...tiles.flatMap((tile) => this.#aboveMissing(tile))]);
    for (const tile of tiles) this.#drawTile(context, tile, scale);
  }

  #drawTile(context, tile, scale) {
    const place = pixelPlace(tile, scale);
    const image = this.cache.get(tile.z, tile.x, tile.y);
    if (image) {
      context.imageSmoothingEnabled = image.width !== place.width || image.height !== place.height;
      return context.drawImage(image, place.left, place.top, place.width, place.height);
    }
    context.imageSmoothingEnabled = true;
    if (image === null || !this.#drawChildren(context, tile, scale)) this.#drawAncestor(context, tile, place);
  }

  /** The tile above one that does not exist: where a mosaic has a finer chart in places only, the coarser one continues beside it. */
  #aboveMissing({ z, x, y }) {
    if (z <= this.product.minZoom || this.cache.get(z, x, y) !== null) return [];
    const above = { z: z - 1, x: x >> 1, y: y >> 1 };
    return [above, ...this.#aboveMissing(above)];
  }

  /** Shows the part of a loaded tile above one that is loading or does not exist. */
  #drawAncestor(context, tile, place) {
    for (let steps = 1; steps <= STEPS_TO_ANCESTOR && tile.z - steps >= 0; steps++) {
      const [parts, x, y] = [2 ** steps, tile.x >> steps, tile.y >> steps];
      const image = this.cache.get(tile.z - steps, x, y);
      if (!image) continue;
      const side = image.width / parts;
      const [left, top] = [(tile.x - x * parts) * side, (tile.y - y * parts) * side];
      return context.drawImage(image, left, top, side, side, place.left, place.top, place.width, place.height);
    }
  }

  /** Shows the loaded tiles below it. Returns whether all four are there. */
  #drawChildren(context, tile, scale) {
    const children = [0, 1, 2, 3].map((part) => {
      const [right, below] = [part & 1, part >> 1];
      const image = this.cache.get(tile.z + 1, tile.x * 2 + right, tile.y * 2 + below);
      const half = tile.side / 2;
      const child = { left: tile.left + right * half, top: tile.top + below * half, side: half };
      return { image, place: pixelPlace(child, scale) };
    });
    if (children.some(({ image }) => image === undefined)) return false;
    for (const { image, place } of children) {
      if (image) context.drawImage(image, place.left, place.top, place.width, place.height);
    }
    return true;
  }
}

/** The pixels of a tile: whole ones, so that neighbours meet without a gap. */
export function pixelPlace(tile, scale) {
  const [left, top] = [Math.round(tile.left * scale), Math.round(tile.top * scale)];
  const right = Math.round((tile.left + tile.side) * scale);
  const bottom = Math.round((tile.top + tile.side) * scale);
  return { left, top, width: right - left, height: bottom - top };
}
