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
  /** Milliseconds without a byte after which an attempt fails. Default: 60000. */
  stallTimeout?: number;
  /** Cancels all requests. */
  signal?: AbortSignal;
}

/** A failure that another attempt may not have. */
export class TransientError extends Error {}

/** Sends requests and repeats those that fail. */
export class Requester {
  constructor(private readonly options: RequestOptions) {}

  /**
   * Returns the bytes of a small file; undefined if the server does not have it. A browser asks the server whether its copy is current.
   *
   * @param limit The most bytes that it may have.
   */
  async document(url: string, limit: number): Promise<Uint8Array | undefined> {
    return this.retry(`reading ${url}`, () => this.send(url, { cache: "no-cache" }, async (response, chunks) => {
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
    url: string, init: RequestInit,
    use: (response: Response, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const { signal, stallTimeout = 60_000, fetch = globalThis.fetch } = this.options;
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const stall = () => controller.abort(new Error(`the server sent nothing for ${stallTimeout / 1000} s`));
    let timer = setTimeout(stall, stallTimeout);
    const touch = () => {
      clearTimeout(timer);
      timer = setTimeout(stall, stallTimeout);
    };
    signal?.addEventListener("abort", cancel);
    try {
      this.throwIfCancelled();
      const response = await connected(() => fetch(url, { ...init, signal: controller.signal }));
      touch();
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
   * @param progress A number that grows with the bytes received; after growth, all attempts are available again.
   */
  async retry<T>(operation: string, work: () => Promise<T>, progress: () => number = () => 0): Promise<T> {
    const { attempts = 5, retryDelay = 1000 } = this.options;
    let best = progress();
    for (let failed = 1; ; failed += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        if (progress() > best) failed = 1;
        best = Math.max(best, progress());
        if (failed >= attempts) {
          throw new ChartpipeError(
            "network", operation, `${messageOf(error)}; ${attempts} attempts failed`, "Try again later",
          );
        }
        await this.pause(retryDelay * 2 ** (failed - 1));
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

async function connected<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TransientError(messageOf(error));
  }
}

async function* chunksOf(response: Response, touch: () => void): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await connected(() => reader.read());
    if (done) return;
    touch();
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
