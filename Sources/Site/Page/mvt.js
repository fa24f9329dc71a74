// Decodes Mapbox Vector Tiles 2.1. https://github.com/mapbox/vector-tile-spec/tree/master/2.1

export class VectorTileError extends Error {}

/** Walks the fields of a protocol buffer: number, wire type and value (a number, or the bytes of a field with a length). */
function* fields(bytes) {
  const reader = new VarintReader(bytes);
  while (!reader.isAtEnd) {
    const key = reader.next();
    const [number, wire] = [Math.floor(key / 8), key % 8];
    if (wire === 0) yield { number, value: reader.next() };
    else if (wire === 2) yield { number, value: reader.bytes(reader.next()) };
    else if (wire === 1) yield { number, value: reader.bytes(8) };
    else if (wire === 5) yield { number, value: reader.bytes(4) };
    else throw new VectorTileError(`a field has the unknown wire type ${wire}`);
  }
}

class VarintReader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get isAtEnd() {
    return this.#at >= this.#bytes.length;
  }

  next() {
    let [value, factor] = [0, 1];
    for (let count = 0; count < 10; count++) {
      if (this.isAtEnd) break;
      const byte = this.#bytes[this.#at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new VectorTileError("a number is cut off");
  }

  bytes(count) {
    if (this.#at + count > this.#bytes.length) throw new VectorTileError("a field is cut off");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

const zigzag = (value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function decodeValue(bytes) {
  for (const { number, value } of fields(bytes)) {
    const view = value instanceof Uint8Array ? new DataView(value.buffer, value.byteOffset, value.byteLength) : null;
    switch (number) {
      case 1: return new TextDecoder().decode(value);
      case 2: return view.getFloat32(0, true);
      case 3: return view.getFloat64(0, true);
      case 4: case 5: return value;
      case 6: return zigzag(value);
      case 7: return value !== 0;
    }
  }
  return null;
}

function numbers(bytes) {
  const [reader, values] = [new VarintReader(bytes), []];
  while (!reader.isAtEnd) values.push(reader.next());
  return values;
}

/** Paths of points [x, y] in the units of the layer. A ring of an area ends where it began. */
export function decodeGeometry(commands) {
  const paths = [];
  let [x, y, at] = [0, 0, 0];
  while (at < commands.length) {
    const [command, count] = [commands[at] % 8, Math.floor(commands[at++] / 8)];
    if (command === 7) {
      const path = paths.at(-1);
      if (path) path.push(path[0]);
      continue;
    }
    if ((command !== 1 && command !== 2) || at + 2 * count > commands.length) {
      throw new VectorTileError("a geometry is damaged");
    }
    for (let point = 0; point < count; point++) {
      [x, y] = [x + zigzag(commands[at++]), y + zigzag(commands[at++])];
      if (command === 1) paths.push([[x, y]]);
      else if (paths.length > 0) paths.at(-1).push([x, y]);
      else throw new VectorTileError("a geometry is damaged");
    }
  }
  return paths;
}

const SHAPES = ["unknown", "point", "line", "area"];

function decodeFeature(bytes, keys, values) {
  const feature = { shape: "unknown", properties: {}, paths: [] };
  for (const { number, value } of fields(bytes)) {
    if (number === 2) {
      const tags = numbers(value);
      for (let at = 0; at + 1 < tags.length; at += 2) feature.properties[keys[tags[at]]] = values[tags[at + 1]];
    } else if (number === 3) feature.shape = SHAPES[value] ?? "unknown";
    else if (number === 4) feature.paths = decodeGeometry(numbers(value));
  }
  return feature;
}

function decodeLayer(bytes) {
  const layer = { name: "", extent: 4096, features: [] };
  const [keys, values, packed] = [[], [], []];
  for (const { number, value } of fields(bytes)) {
    if (number === 1) layer.name = new TextDecoder().decode(value);
    else if (number === 2) packed.push(value);
    else if (number === 3) keys.push(new TextDecoder().decode(value));
    else if (number === 4) values.push(decodeValue(value));
    else if (number === 5) layer.extent = value;
  }
  layer.features = packed.map((feature) => decodeFeature(feature, keys, values));
  return layer;
}

/** The layers of a tile by name. */
export function decodeVectorTile(bytes) {
  const layers = new Map();
  for (const { number, value } of fields(bytes)) {
    if (number !== 3) continue;
    const layer = decodeLayer(value);
    layers.set(layer.name, layer);
  }
  return layers;
}
