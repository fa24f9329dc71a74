import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { decodeGeometry, decodeVectorTile } = await import(`${modules}/mvt.js`);

const field = (number, bytes) => [number * 8 + 2, bytes.length, ...bytes];
const text = (string) => [...new TextEncoder().encode(string)];

test("geometries of the specification's examples are read", () => {
  assert.deepEqual(decodeGeometry([9, 50, 34]), [[[25, 17]]]);
  assert.deepEqual(decodeGeometry([17, 10, 14, 3, 9]), [[[5, 7]], [[3, 2]]]);
  assert.deepEqual(decodeGeometry([9, 4, 4, 18, 0, 16, 16, 0]), [[[2, 2], [2, 10], [10, 10]]]);
  assert.deepEqual(decodeGeometry([9, 6, 12, 18, 10, 12, 24, 44, 15]), [[[3, 6], [8, 12], [20, 34], [3, 6]]]);
});

test("a layer has its features with their properties", () => {
  const double = [...new Uint8Array(new Float64Array([-1.5]).buffer)];
  const feature = [...field(2, [0, 0, 1, 1, 2, 2]), 3 * 8, 1, ...field(4, [9, 50, 34])];
  const layer = [
    15 * 8, 2, ...field(1, text("airports")), ...field(2, feature),
    ...["icao", "isTowered", "longitude"].flatMap((key) => field(3, text(key))),
    ...field(4, field(1, text("KPAO"))), ...field(4, [7 * 8, 1]), ...field(4, [3 * 8 + 1, ...double]),
    5 * 8, 0x80, 0x20,
  ];
  const layers = decodeVectorTile(Uint8Array.from(field(3, layer)));
  assert.deepEqual(layers.get("airports"), {
    name: "airports", extent: 4096,
    features: [{ shape: "point", properties: { icao: "KPAO", isTowered: true, longitude: -1.5 }, paths: [[[25, 17]]] }],
  });
});

test("damaged tiles are refused", () => {
  for (const bytes of [[0x1a], [0x1a, 5, 1], [0x1f, 1], Array(12).fill(0xff)]) {
    assert.throws(() => decodeVectorTile(Uint8Array.from(bytes)), { name: "Error" });
  }
  assert.throws(() => decodeGeometry([10, 2, 2]), /damaged/);
  assert.throws(() => decodeGeometry([9, 2]), /damaged/);
  assert.throws(() => decodeGeometry([8 * 1e9 + 1, 2, 2]), /damaged/);
});
