import { union } from "./mercator.js";

/** In degrees: a wider box may be that of a mosaic of many charts. */
const WIDEST_CHART = 30;

const middle = (box) => ({ x: (box.west + box.east) / 2, y: (box.south + box.north) / 2 });
const aroundEarth = (degrees) => degrees - 360 * Math.round(degrees / 360);
const gap = (one, two) => ({
  x: Math.abs(aroundEarth(middle(one).x - middle(two).x)), y: Math.abs(middle(one).y - middle(two).y),
});

/**
 * The box of a first view: where most boxes are, next to each other. A box around Guam, Alaska and Puerto Rico would show no chart well,
 * and one around charts on both sides of 180 degrees would be the whole earth. Undefined if there is no box.
 */
export function homeBox(all) {
  if (all.length === 0) return undefined;
  // A mosaic reaches from the Pacific to the Atlantic, with an empty middle.
  const covers = (box, { x, y }) => Math.abs(aroundEarth(x - middle(box).x)) <= (box.east - box.west) / 2 && box.south <= y && y <= box.north;
  const isMost = (box) => all.filter((other) => covers(box, middle(other))).length > all.length / 2;
  const single = all.filter((box) => box.east - box.west < WIDEST_CHART || !isMost(box));
  const boxes = single.length > 0 ? single : all;
  // The place with the smallest sum of distances is a chart among the others.
  const distances = boxes.map((one) => boxes.reduce((sum, two) => sum + Math.min(gap(one, two).x, 60) + Math.min(gap(one, two).y, 60), 0));
  const center = boxes[distances.indexOf(Math.min(...distances))];
  const placed = boxes.map((box) => {
    const shift = middle(center).x + aroundEarth(middle(box).x - middle(center).x) - middle(box).x;
    return { ...box, west: box.west + shift, east: box.east + shift };
  });
  const group = connected(placed, placed[boxes.indexOf(center)]);
  return union(group.length >= boxes.length / 2 ? group : placed.filter((box) => gap(box, center).x < 35 && gap(box, center).y < 14));
}

/** The boxes that are reached from one of them over gaps of less than two degrees. */
function connected(boxes, first) {
  const isNear = (one, two) => one.west - two.east < 2 && two.west - one.east < 2 && one.south - two.north < 2 && two.south - one.north < 2;
  const group = [first];
  let rest = boxes.filter((box) => box !== first);
  for (const reached of group) {
    group.push(...rest.filter((box) => isNear(box, reached)));
    rest = rest.filter((box) => !group.includes(box));
  }
  return group;
}
