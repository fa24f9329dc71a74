import { ChartpipeError, messageOf } from "./errors.js";

/** The function of the platform, or one with the same meaning. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface RequestOptions {
  /** Default: `fetch` of the platform. */
  fetch?: Fetch;
  /** Attempts in a row that bring no byte, before an error. Default: 5. */
  attempts?: number;
  /** Milliseconds before the second attempt; doubles with each further one. Default: 1000. */
  retryDelay?: number;
  /** Milliseconds without a byte after which an attempt fails. Default: 10000. */
  stallTimeout?: number;
  /** Milliseconds for a small document, with all attempts, before an error. One more for every 16 bytes that arrive. Default: 6000. */
  documentTimeout?: number;
  /** The same for a large file, with one more for every 2 bytes. Default: 6000. */
  fileTimeout?: number;
  /** Cancels all requests. */
  signal?: AbortSignal;
}

/** A failure that another attempt may not have, with the next step if all fail. */
export class TransientError extends Error {
  constructor(reason: string, readonly suggestion = "Try again later") {
    super(reason);
  }
}

const mostRedirects = 8;

/** The end of a transfer with all its attempts. A server that sends a byte now and then cannot hold a client. */
export class Deadline {
  private readonly began = Date.now();
  received = 0;

  constructor(private readonly start: number, private readonly bytesPerMillisecond: number) {}

  get left(): number {
    return this.start + this.received / this.bytesPerMillisecond - (Date.now() - this.began);
  }

  get reason(): string {
    return `the server is too slow: ${this.received} bytes in ${(Date.now() - this.began) / 1000} s`;
  }
}

/** Sends requests and repeats those that fail. */
export class Requester {
  constructor(private readonly options: RequestOptions) {}

  fileDeadline(): Deadline {
    return new Deadline(this.options.fileTimeout ?? 6000, 2);
  }

  /**
   * Returns the bytes of a small file; undefined if the server does not have it. A browser asks the server whether its copy is current.
   *
   * @param limit The most bytes that it may have.
   */
  async document(url: string, limit: number): Promise<Uint8Array | undefined> {
    const deadline = new Deadline(this.options.documentTimeout ?? 6000, 16);
    const init: RequestInit = { cache: "no-cache" };
    return this.retry(`reading ${url}`, deadline, () => this.send(url, init, deadline, async (response, chunks) => {
      if (response.status === 404 || response.status === 410) return undefined;
      checkStatus(response, `reading ${url}`);
      const parts: Uint8Array[] = [];
      let count = 0;
      for await (const chunk of chunks) {
        count += chunk.length;
        if (count > limit) throw new ChartpipeError("invalid", `reading ${url}`, `it has more than ${limit} bytes`);
        parts.push(chunk);
      }
      return joined(parts);
    }));
  }

  /** Sends one request. The response is valid until `use` ends. */
  async send<T>(
    url: string, init: RequestInit, deadline: Deadline,
    use: (response: Response, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const { signal, stallTimeout = 10_000, fetch = globalThis.fetch } = this.options;
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const stall = () => controller.abort(new Error(
      deadline.left <= 0 ? deadline.reason : `the server sent nothing for ${stallTimeout / 1000} s`,
    ));
    const wait = () => setTimeout(stall, Math.max(0, Math.min(stallTimeout, deadline.left)));
    let timer = wait();
    const touch = (count: number) => {
      deadline.received += count;
      clearTimeout(timer);
      timer = wait();
    };
    signal?.addEventListener("abort", cancel);
    try {
      this.throwIfCancelled();
      const response = await connected(
        () => following(fetch, url, { ...init, signal: controller.signal }), (error) => unanswered(url, error),
      );
      touch(0);
      return await use(response, chunksOf(response, touch));
    } catch (error) {
      this.throwIfCancelled();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      controller.abort(); // closes the connection of a response that was not read to its end
    }
  }

  /**
   * Repeats work while it fails with a `TransientError`.
   *
   * @param deadline Ends the attempts, and shortens the pauses before it.
   * @param progress A number that grows with the bytes received; after growth, all attempts are available again.
   */
  async retry<T>(
    operation: string, deadline: Deadline, work: () => Promise<T>, progress: () => number = () => 0,
  ): Promise<T> {
    const { attempts = 5, retryDelay = 1000 } = this.options;
    let best = progress();
    for (let failed = 1; ; failed += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        if (progress() > best) failed = 1;
        best = Math.max(best, progress());
        if (deadline.left <= 0) throw new ChartpipeError("network", operation, deadline.reason, "Try again later");
        if (failed >= attempts) {
          throw new ChartpipeError(
            "network", operation, `${messageOf(error)}; ${attempts} attempts failed`, error.suggestion,
          );
        }
        await this.pause(Math.min(retryDelay * 2 ** (failed - 1), deadline.left / 2));
      }
    }
  }

  private pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", cancel);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  private throwIfCancelled(): void {
    if (this.options.signal?.aborted) throw this.options.signal.reason;
  }
}

/** Throws unless the status is one of success. */
export function checkStatus(response: Response, operation: string): void {
  const { status } = response;
  if (response.ok) return;
  if (status === 404 || status === 410) {
    throw new ChartpipeError(
      "missing", operation, `the server does not have it (status ${status})`,
      "Open the site again: the publisher may have replaced the catalogue",
    );
  }
  if (status === 408 || status === 429 || status >= 500) throw new TransientError(`the server answered ${status}`);
  throw new ChartpipeError("network", operation, `the server answered ${status}`, "Check the address of the site");
}

/** Follows redirects to HTTP alone, and never from https to http. */
async function following(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  let place = url;
  for (let count = 0; count <= mostRedirects; count += 1) {
    const response = await fetch(place, { ...init, redirect: "manual" });
    // A browser hides where a redirect leads. It loads nothing by http into a page of https.
    if (response.type === "opaqueredirect") return followed(await fetch(url, init), url);
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("Location") : null;
    if (next === null) return response;
    await response.body?.cancel();
    place = redirected(place, new URL(next, place));
  }
  throw new ChartpipeError("network", `reading ${url}`, `the server redirects more than ${mostRedirects} times`);
}

function followed(response: Response, url: string): Response {
  if (response.url !== "") redirected(url, new URL(response.url));
  return response;
}

function redirected(from: string, to: URL): string {
  const before = new URL(from).protocol;
  if (to.protocol === "https:" || (to.protocol === "http:" && before === "http:")) return to.href;
  throw new ChartpipeError(
    "network", `reading ${from}`, `the server redirects from ${before} to ${to.protocol}`, "Check the address of the site",
  );
}

async function connected<T>(work: () => Promise<T>, failure = brokenConnection): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChartpipeError) throw error;
    throw failure(error);
  }
}

const brokenConnection = (error: unknown) => new TransientError(messageOf(error));

/** A request without a response. For a page of another origin, a browser does not say whether the server is there or forbids the page to read it. */
function unanswered(url: string, error: unknown): TransientError {
  const [site, page] = [new URL(url), pageAddress()];
  if (!(error instanceof TypeError) || page === undefined) return brokenConnection(error);
  const reason = `the browser got no answer from ${site.origin} (${messageOf(error)})`;
  if (site.origin === page.origin) return new TransientError(reason, "Check the connection, and try again later");
  if (site.protocol === "http:" && page.protocol === "https:") {
    return new TransientError(`${reason}, and may not read http: from a page of https:`, "Use an https: address of the site");
  }
  return new TransientError(
    `${reason}: there is no connection, or the server does not let pages of ${page.origin} read it (CORS)`,
    "Check the address and the connection; if both are right, its publisher must send Access-Control-Allow-Origin, as the "
      + "settings in Chartpipe's packaging/ do",
  );
}

/** The address of the page or of the page of a worker; undefined in Node.js. */
function pageAddress(): URL | undefined {
  const { location } = globalThis as { location?: { href: string } };
  return location === undefined ? undefined : new URL(location.href);
}

async function* chunksOf(response: Response, touch: (count: number) => void): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await connected(() => reader.read());
    if (done) return;
    touch(value.length);
    yield value;
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
