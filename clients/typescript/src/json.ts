import { ChartpipeError } from "./errors.js";

/** Reads the keys of a JSON object and rejects values that do not conform to docs/formats. Unknown keys are ignored. */
export class JsonObject {
  private readonly values: { readonly [key: string]: unknown };

  /**
   * @param document The file's name for errors.
   * @param path The object's place in the file.
   */
  constructor(value: unknown, private readonly document: string, private readonly path = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw this.problem("", "is not an object");
    }
    this.values = value as { [key: string]: unknown };
  }

  static parse(bytes: Uint8Array | string, document: string): JsonObject {
    return new JsonObject(parseJson(bytes, document), document);
  }

  /** The value of an optional key: undefined if it is missing or null. */
  optional<T>(key: string, read: (key: string) => T): T | undefined {
    return this.value(key) === undefined || this.value(key) === null ? undefined : read(key);
  }

  text = (key: string): string => {
    const value = this.value(key);
    if (typeof value !== "string") throw this.problem(key, value === undefined ? "is missing" : "is not a text");
    return value;
  };

  number = (key: string): number => {
    const value = this.value(key);
    if (typeof value !== "number") throw this.problem(key, value === undefined ? "is missing" : "is not a number");
    return value;
  };

  count = (key: string): number => {
    const value = this.number(key);
    if (!Number.isSafeInteger(value) || value < 0) throw this.problem(key, `${value} is not a count`);
    return value;
  };

  /** Rejects huge sizes, since the sum of several could be inexact. */
  size = (key: string): number => {
    const value = this.count(key);
    if (value > 2 ** 40) throw this.problem(key, `${value} bytes are more than a file has`);
    return value;
  };

  /** A time in UTC to the second. */
  time = (key: string): Date => {
    const text = this.text(key);
    const time = new Date(text);
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(time.getTime())
      && time.toISOString() === text.replace("Z", ".000Z");
    if (!isTime) throw this.problem(key, `"${text}" is not a time such as 2026-11-26T09:01:00Z`);
    return time;
  };

  /** Seconds since 2001-01-01T00:00:00Z. */
  seconds2001 = (key: string): Date => {
    const time = new Date(Date.UTC(2001, 0, 1) + this.number(key) * 1000);
    if (Number.isNaN(time.getTime())) throw this.problem(key, "is not a time");
    return time;
  };

  sha256 = (key: string): string => this.matching(key, /^[0-9a-f]{64}$/, "is not 64 lower-case hex digits");

  /** Rejects names that are not file names, since apps use them as such. */
  fileName = (key: string): string => this.matching(key, /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/, "is not a file name");

  /** Rejects a path that leads out of the site, since it could overwrite other files of the app. */
  sitePath = (key: string): string => {
    const text = this.matching(key, /^[!-~]+$/, "is not a path within the site");
    const isOutside = text.split("/").some((part) => part === "" || part === "." || part === "..");
    if (isOutside || /[\\:%?#]/.test(text)) throw this.problem(key, `"${text}" is not a path within the site`);
    return text;
  };

  matching(key: string, pattern: RegExp, problem: string): string {
    const text = this.text(key);
    if (!pattern.test(text)) throw this.problem(key, `"${text}" ${problem}`);
    return text;
  }

  object = (key: string): JsonObject => {
    if (this.value(key) === undefined) throw this.problem(key, "is missing");
    return new JsonObject(this.value(key), this.document, `${this.path}.${key}`);
  };

  /** The keys of a dictionary and what `read` makes of each. */
  dictionary<T>(key: string, read: (inner: JsonObject, name: string) => T): Map<string, T> {
    const inner = this.object(key);
    return new Map(Object.keys(inner.values).map((name) => [name, read(inner, name)]));
  }

  list<T>(key: string, read: (item: JsonObject) => T): T[] {
    return this.array(key).map((item, i) => read(new JsonObject(item, this.document, `${this.path}.${key}[${i}]`)));
  }

  texts = (key: string): string[] =>
    this.array(key).map((item) => {
      if (typeof item !== "string") throw this.problem(key, "has an item that is not a text");
      return item;
    });

  problem(key: string, reason: string, code: "invalid" | "format" = "invalid"): ChartpipeError {
    const place = key === "" ? this.path || "the document" : `${this.path}.${key}`;
    return new ChartpipeError(code, `reading ${this.document}`, `${place}: ${reason}`);
  }

  private array(key: string): unknown[] {
    const value = this.value(key);
    if (!Array.isArray(value)) throw this.problem(key, value === undefined ? "is missing" : "is not a list");
    return value;
  }

  private value(key: string): unknown {
    return Object.prototype.hasOwnProperty.call(this.values, key) ? this.values[key] : undefined;
  }
}

export function parseJson(bytes: Uint8Array | string, document: string): unknown {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = typeof bytes === "string" ? bytes : decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    checkPlain(text);
    return value;
  } catch (error) {
    throw new ChartpipeError("invalid", `reading ${document}`, `it is not JSON: ${(error as Error).message}`);
  }
}

const deepest = 200;

/** Refuses what another parser could read differently in valid JSON: repeated keys, halves of characters, huge numbers, deep nesting. */
function checkPlain(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g)) {
    if (token === "{" || token === "[") {
      if (open.push(token === "{" ? new Set() : undefined) > deepest) throw new Error("it is nested too deeply");
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token.startsWith("\"")) {
      checkText(JSON.parse(token), last === "{" || last === "," ? open[open.length - 1] : undefined);
    } else if (/^[-0-9]/.test(token)) {
      checkNumber(token);
    }
    last = token;
  }
}

function checkText(text: string, keys: Set<string> | undefined): void {
  if (/[\ud800-\udfff]/u.test(text)) throw new Error("an escape is half a character");
  if (keys?.has(text)) throw new Error(`the key "${text}" is repeated`);
  keys?.add(text);
}

function checkNumber(token: string): void {
  const isPlain = /^-?(0|[1-9]\d{0,15})(\.\d+)?([eE][+-]?\d{1,2})?$/.test(token);
  if (!isPlain || Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER) {
    throw new Error(`${token.slice(0, 40)} is not a number that all parsers read alike`);
  }
}
