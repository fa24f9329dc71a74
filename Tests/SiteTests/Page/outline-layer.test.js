import test from "node:test";
import assert from "node:assert/strict";

const { platePlace } = await import(`${process.env.CHARTPIPE_PAGE_MODULES}/outline-layer.js`);

const buttons = { x: 8, y: 8, width: 52, height: 148 };
const plate = { width: 100, height: 19 };

test("the name of a chart is in its upper left corner", () => {
  assert.deepEqual(platePlace({ x: 200, y: 90, width: 300, height: 200 }, plate, [buttons]), { x: 200, y: 90, ...plate });
});

test("a name that the buttons would cover is beside them, below them, or left out", () => {
  const at = (width, height) => platePlace({ x: 24, y: 120, width, height }, plate, [buttons]);
  assert.deepEqual(at(300, 200), { x: 60, y: 120, ...plate });
  assert.deepEqual(at(130, 200), { x: 24, y: 156, ...plate });
  assert.equal(at(130, 50), undefined);
  assert.equal(platePlace({ x: 24, y: 120, width: 90, height: 200 }, plate, []), undefined, "it is wider than its chart");
});

test("a name beside the buttons is not below another control", () => {
  const legend = { x: 100, y: 100, width: 200, height: 40 };
  assert.deepEqual(platePlace({ x: 24, y: 120, width: 300, height: 200 }, plate, [buttons, legend]), { x: 24, y: 156, ...plate });
});
