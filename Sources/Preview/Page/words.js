// Helpers for server answers, and numbers in the formats of aviation.

import { byID } from "./elements.js";

/** Fetches JSON. Throws an error with the server's message. */
export async function getJSON(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  const answer = await fetch(query ? `${path}?${query}` : path, { signal });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error ?? `${path}: ${answer.status}`);
  return value;
}

let hiding;
/** Shows an error message for some seconds. */
export function say(text) {
  const message = byID("message");
  message.textContent = text;
  message.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (message.hidden = true), 8000);
}

export const grouped = (number) => Math.round(number).toLocaleString("en-US");

/** Formats a date or a time in UTC: 20 Apr 2023. */
export function day(text) {
  const options = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };
  return new Date(text).toLocaleDateString("en-GB", options);
}

/** Formats degrees as on a chart's border: 37°27.67′ N. */
export function degrees(value, positive, negative) {
  const minutes = Math.round(Math.abs(value) * 6000) / 100;
  const rest = (minutes % 60).toFixed(2).padStart(5, "0");
  return `${Math.floor(minutes / 60)}°${rest}′ ${value < 0 ? negative : positive}`;
}

export function placeText(latitude, longitude) {
  const turned = longitude - 360 * Math.floor((longitude + 180) / 360);
  return `${degrees(latitude, "N", "S")}  ${degrees(turned, "E", "W")}`;
}
