// Elements, answers of the server, and numbers as pilots read them.

/** Makes an element; what is text stays text, whatever is in it. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const byID = (id) => document.getElementById(id);

/** The server says in words what is wrong; the error carries them on. */
export async function getJSON(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  const answer = await fetch(query ? `${path}?${query}` : path, { signal });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error ?? `${path}: ${answer.status}`);
  return value;
}

let hiding;
/** Tells of something that went wrong; the map stays as it is. */
export function say(text) {
  const message = byID("message");
  message.textContent = text;
  message.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (message.hidden = true), 8000);
}

export const grouped = (number) => Math.round(number).toLocaleString("en-US");

/** 20 Apr 2023, of a day or a time in UTC. */
export function day(text) {
  const options = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };
  return new Date(text).toLocaleDateString("en-GB", options);
}

/** 37°27.67′ N, as on the chart's border. */
export function degrees(value, positive, negative) {
  const minutes = Math.round(Math.abs(value) * 6000) / 100;
  const rest = (minutes % 60).toFixed(2).padStart(5, "0");
  return `${Math.floor(minutes / 60)}°${rest}′ ${value < 0 ? negative : positive}`;
}

export function placeText(latitude, longitude) {
  const turned = longitude - 360 * Math.floor((longitude + 180) / 360);
  return `${degrees(latitude, "N", "S")}  ${degrees(turned, "E", "W")}`;
}

/** A longitude on the turn of the world that the map shows. */
export const near = (longitude, map) => longitude + 360 * Math.round((map.getCenter().lng - longitude) / 360);
