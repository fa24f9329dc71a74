// A divider over the map: the previous cycle on its left, the selected one on its right.

import { byID } from "./elements.js";

export class Swipe {
  constructor(map, charts) {
    this.map = map;
    this.charts = charts;
    this.isOn = false;
    this.share = 0.5;
    this.knob = byID("swipe-knob");
    this.knob.addEventListener("pointerdown", (event) => this.grab(event));
    this.knob.addEventListener("keydown", (event) => this.press(event));
  }

  show(before, now) {
    this.isOn = Boolean(before);
    byID("swipe").hidden = !this.isOn;
    byID("swipe-before").textContent = before ?? "";
    byID("swipe-now").textContent = now;
    this.move(this.share);
  }

  grab(event) {
    event.preventDefault();
    this.knob.focus();
    this.knob.setPointerCapture(event.pointerId);
    const frame = byID("map").getBoundingClientRect();
    const follow = (moved) => this.move((moved.clientX - frame.left) / frame.width);
    this.knob.addEventListener("pointermove", follow);
    const release = () => this.knob.removeEventListener("pointermove", follow);
    this.knob.addEventListener("lostpointercapture", release, { once: true });
  }

  press(event) {
    const steps = { ArrowLeft: -0.02, ArrowDown: -0.02, ArrowRight: 0.02, ArrowUp: 0.02, PageDown: -0.2, PageUp: 0.2 };
    const ends = { Home: 0, End: 1 };
    if (event.key in steps) this.move(this.share + steps[event.key]);
    else if (event.key in ends) this.move(ends[event.key]);
    else return;
    event.preventDefault();
  }

  move(share) {
    this.share = Math.min(1, Math.max(0, share));
    byID("swipe").style.setProperty("--share", `${this.share * 100}%`);
    this.knob.setAttribute("aria-valuenow", Math.round(this.share * 100));
    this.charts.share = this.isOn ? this.share : 0;
    this.map.redraw();
  }
}
