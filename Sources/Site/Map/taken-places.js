/** The rectangles of a canvas that texts have taken. */
export class TakenPlaces {
  #taken = [];

  /** Takes a place; returns false if a part of it is taken. */
  take(place) {
    if (this.#taken.some((other) => overlap(place, other))) return false;
    this.#taken.push(place);
    return true;
  }
}

export function overlap(one, two) {
  return one.x < two.x + two.width && two.x < one.x + one.width && one.y < two.y + two.height && two.y < one.y + one.height;
}
