import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { Gestures } = await import(`${modules}/gestures.js`);

/** Plays events on an element. Returns what the map is told, with rounded numbers. */
function told(events) {
  const listeners = new Map();
  const element = {
    addEventListener: (name, listener) => listeners.set(name, listener),
    setPointerCapture: () => {},
    getBoundingClientRect: () => ({ left: 10, top: 20 }),
  };
  const calls = [];
  const round = (value) => (typeof value === "number" ? Math.round(value * 100) / 100 : value);
  const map = new Proxy({}, { get: (_, name) => (...values) => calls.push([name, ...values.map(round)]) });
  new Gestures(element, map);
  for (const [type, event] of events) {
    const { x, y, time, id = 1, ...others } = { x: 0, y: 0, time: 0, ...event };
    const at = { clientX: x + 10, clientY: y + 20, timeStamp: time, pointerId: id, button: 0, preventDefault: () => {} };
    listeners.get(type)({ type, ...at, ...others });
  }
  return calls;
}

const drag = (end) => [
  ["pointerdown", { x: 100, y: 50, time: 1000 }], ["pointermove", { x: 90, y: 50, time: 1010 }], ["pointermove", { x: 70, y: 60, time: 1020 }],
  ["pointerup", { x: 70, y: 60, time: end }],
];

test("a quick drag goes on after its end, and one that stops first does not", () => {
  const pans = [["pan", 10, 0], ["pan", 20, -10]];
  assert.deepEqual(told(drag(1030)), [...pans, ["fling", 2, -1]]);
  assert.deepEqual(told(drag(1300)), pans);
});

test("a tap is a click, and a second one zooms in", () => {
  const tap = (time) => [["pointerdown", { x: 100, y: 50, time }], ["pointerup", { x: 101, y: 50, time: time + 50 }]];
  const click = ["click", { x: 100, y: 50 }];
  assert.deepEqual(told([...tap(1000), ...tap(1200)]), [click, ["zoomBy", 1, { x: 100, y: 50 }, true]]);
  assert.deepEqual(told([...tap(1000), ...tap(2000)]), [click, click]);
});

test("two fingers zoom around their middle, and lifting them is neither a click nor a fling", () => {
  const fingers = [
    ["pointerdown", { x: 100, y: 50, id: 1 }], ["pointerdown", { x: 200, y: 50, id: 2 }], ["pointermove", { x: 300, y: 50, id: 2, time: 10 }],
    ["pointerup", { x: 300, y: 50, id: 2, time: 500 }], ["pointerup", { x: 100, y: 50, id: 1, time: 510 }],
  ];
  assert.deepEqual(told(fingers), [["pan", -50, 0], ["zoomBy", 1, { x: 200, y: 50 }, false]]);
});

test("wheel and keys zoom and move", () => {
  assert.deepEqual(told([["wheel", { x: 5, y: 6, deltaY: -120, deltaMode: 0 }]]), [["zoomBy", 0.5, { x: 5, y: 6 }, false]]);
  const keys = ["ArrowRight", "+", "-", "Home", "a"].map((key) => ["keydown", { key }]);
  assert.deepEqual(told([...keys, ["keydown", { key: "+", ctrlKey: true }]]), [["pan", 100, 0], ["zoomBy", 1, null, true], ["zoomBy", -1, null, true], ["home"]]);
});
