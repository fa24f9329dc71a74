/** Makes an element. Text always becomes a text node: a catalogue cannot put markup into the page. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return made;
}

export const byID = (id) => document.getElementById(id);

/** The value of a colour of the style sheet, which depends on the scheme. */
export function colorOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
