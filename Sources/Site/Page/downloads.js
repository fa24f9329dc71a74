import { element } from "./elements.js";
import { expiryWarning } from "./airport-card.js";
import { dayText, downloadName, fileKind, matches, searchWords, sizeText, validity } from "./catalogue.js";

/** The list of downloads, by family. */
export class Downloads {
  #rows = [];
  #groups = [];
  #tag = () => undefined;

  /** `choose(product)` is called when a person wants to see a product on the map. */
  constructor(place, families, now, choose) {
    for (const { family, title, items } of families) {
      const count = element("span", { class: "count" });
      const rows = items.map((item) => this.#row(item, now, choose));
      const group = element("details", { class: "family", open: items.length <= 12 || undefined, "data-family": family },
        element("summary", {}, element("h2", {}, title), count), ...rows);
      this.#groups.push({ group, count, rows, isOpen: group.open });
      place.append(group);
    }
    this.search("");
  }

  #row({ product, others }, now, choose) {
    const title = product.boundingBox
      ? element("button", { type: "button", class: "name", title: "Show where it is", onclick: () => choose(product) }, product.name)
      : element("span", { class: "name" }, product.name);
    const row = element("article", { class: "product", "data-id": product.id },
      element("div", { class: "head" }, title),
      element("p", { class: "dates" }, datesText(product)),
      fileList(product));
    for (const other of others) row.append(otherEdition(other, product, now));
    this.#rows.push({ product, row });
    return row;
  }

  /** Sets the badges. `tag(product)` returns that of a product: {word, text}, or undefined. */
  mark(tag) {
    this.#tag = tag;
    for (const { product, row } of this.#rows) {
      row.querySelector(".badge")?.remove();
      row.querySelector(".head").append(...this.#badge(product));
    }
  }

  #badge(product) {
    const tag = this.#tag(product);
    return tag ? [element("span", { class: `badge ${tag.word}` }, tag.text)] : [];
  }

  /** Shows the products that contain all words. Returns their ids; null if all are shown. */
  search(text) {
    const words = searchWords(text);
    const found = new Set();
    for (const { product, row } of this.#rows) {
      row.hidden = !matches(product, words);
      if (!row.hidden) found.add(product.id);
    }
    for (const { group, count, rows, isOpen } of this.#groups) {
      const shown = rows.filter((row) => !row.hidden).length;
      group.hidden = shown === 0;
      count.textContent = shown === rows.length ? String(shown) : `${shown} of ${rows.length}`;
      group.open = words.length > 0 || isOpen;
    }
    return words.length === 0 ? null : found;
  }

  /** A card of a product, for a screen on which the list is far below the map. */
  card(product) {
    const badge = this.#tag(product)?.word === "expired" ? [] : this.#badge(product);
    return { title: product.name, content: [expiryWarning(product), element("p", { class: "dates" }, ...badge, datesText(product)), fileList(product)] };
  }

  /** Marks a product, and brings it into view unless something else is shown there. */
  show(id, scrolls = true) {
    for (const { product, row } of this.#rows) {
      row.classList.toggle("chosen", product.id === id);
      if (product.id !== id) continue;
      row.hidden = false;
      row.closest("details").hidden = false;
      row.closest("details").open = true;
      if (scrolls) row.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }
  }
}

const spanText = ({ effectiveDate, expirationDate }) => `${dayText(effectiveDate)} – ${dayText(expirationDate)}`;

function datesText(product) {
  return product.maxZoom === undefined ? spanText(product) : `${spanText(product)} · zoom ${product.minZoom}–${product.maxZoom}`;
}

function fileList(product) {
  const links = product.files.flatMap((file) => {
    const name = downloadName(product, file);
    const whole = fileLink(file, name, fileKind(product, file), file.sha256);
    return file.gzip ? [whole, fileLink(file.gzip, `${name}.gz`, `${fileKind(product, file)}, gzip`, file.gzip.sha256)] : [whole];
  });
  return element("ul", { class: "files" }, ...links);
}

function fileLink(file, name, kind, sha256) {
  return element("li", {},
    element("a", { href: file.path, download: name, title: `Download ${name}` }, kind),
    element("span", { class: "size" }, sizeText(file.bytes)),
    element("button", { type: "button", class: "hash", title: `SHA-256 ${sha256}. Click to copy it.`, onclick: copyHash, "data-hash": sha256 },
      sha256.slice(0, 8)));
}

async function copyHash({ currentTarget: button }) {
  const { hash } = button.dataset;
  try {
    await navigator.clipboard.writeText(hash);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = hash.slice(0, 8); }, 1500);
  } catch {
    // Without permission, it is shown in full.
    button.textContent = hash;
  }
}

function otherEdition(product, shown, now) {
  const word = product.effectiveDate < shown.effectiveDate ? "Earlier" : validity(product, now) === "coming" ? "Next" : "Later";
  return element("details", { class: "other" }, element("summary", {}, `${word} edition: ${spanText(product)}`), fileList(product));
}
