import type { FileReference } from "./catalog.js";
import { ChartpipeError } from "./errors.js";
import type { Primitives } from "./primitives.js";
import { checkStatus, Deadline, joined, Requester, TransientError } from "./requests.js";

/** Where the bytes of a download go. It may have bytes of an earlier attempt. */
export interface PartialFile {
  /** The bytes that are there, and the `ETag` of the response that they came from. */
  state(): Promise<{ bytes: number; etag?: string }>;
  /** Discards all bytes. The next ones come from a response with this `ETag`. */
  restart(etag?: string): Promise<void>;
  append(chunk: Uint8Array): Promise<void>;
  /** The hash of all bytes, which are durable afterwards. */
  sha256(): Promise<string>;
}

/** A download in memory. Keep the object to continue a download that failed. */
export class MemoryPart implements PartialFile {
  private chunks: Uint8Array[] = [];
  private etag?: string;

  constructor(private readonly primitives: Primitives) {}

  async state() {
    return { bytes: this.chunks.reduce((sum, chunk) => sum + chunk.length, 0), etag: this.etag };
  }

  async restart(etag?: string) {
    this.chunks = [];
    this.etag = etag;
  }

  async append(chunk: Uint8Array) {
    this.chunks.push(chunk);
  }

  async sha256() {
    return this.primitives.sha256(this.bytes());
  }

  bytes(): Uint8Array {
    this.chunks = [joined(this.chunks)];
    return this.chunks[0];
  }
}

export type Progress = (received: number, total: number) => void;

/** Downloads one file into a `PartialFile` and verifies its size and hash. */
export class Transfer {
  private received = 0;
  private etag?: string;
  /** Whether the bytes came from several responses, which can be of different files. */
  private isJoined = false;
  private mostReceived = 0;
  private readonly operation: string;

  constructor(
    private readonly requester: Requester,
    private readonly url: string,
    private readonly file: FileReference,
    private readonly part: PartialFile,
    private readonly progress: Progress = () => undefined,
  ) {
    this.operation = `downloading ${url}`;
  }

  /** Continues where the partial file ends. After an error of the code `integrity` the partial file is empty. */
  async run(): Promise<void> {
    const { bytes, etag } = await this.part.state();
    this.received = bytes;
    this.etag = etag;
    this.isJoined = bytes > 0;
    if (bytes > this.file.bytes) await this.restart();
    try {
      await this.complete();
    } catch (error) {
      if (!(error instanceof ChartpipeError && error.code === "integrity" && this.isJoined)) throw error;
      // The earlier bytes may be wrong, so the file is downloaded once more from the start.
      this.isJoined = false;
      await this.complete();
    }
  }

  private async complete(): Promise<void> {
    const deadline = this.requester.fileDeadline();
    while (this.received < this.file.bytes) {
      await this.requester.retry(this.operation, deadline, () => this.receive(deadline), () => this.mostReceived);
    }
    const found = await this.part.sha256();
    if (found !== this.file.sha256) throw await this.mismatch(`its SHA-256 is ${found}, not ${this.file.sha256}`);
  }

  /** Receives one response. */
  private async receive(deadline: Deadline): Promise<void> {
    const start = this.received;
    const init: RequestInit = { headers: this.headers(), cache: "no-store" };
    await this.requester.send(this.url, init, deadline, async (response, chunks) => {
      if (start > 0 && (response.status === 416 || (response.status === 206 && !this.continues(response, start)))) {
        await this.restart();
        throw new TransientError("the server did not continue the download");
      }
      checkStatus(response, this.operation);
      if (response.status === 206) {
        this.isJoined = true;
      } else {
        this.isJoined = false;
        await this.restart(strongETag(response));
      }
      for await (const chunk of chunks) await this.append(chunk);
      // A response with a length arrived whole, or it would have failed. The length itself may be that of a packed body.
      if (this.received < this.file.bytes && !this.isJoined && response.headers.has("Content-Length")) {
        throw await this.mismatch(`the server has ${this.received} bytes instead of ${this.file.bytes}`);
      }
    });
    if (this.received < this.file.bytes) {
      throw new TransientError(`the connection ended after ${this.received} of ${this.file.bytes} bytes`);
    }
  }

  private async append(chunk: Uint8Array): Promise<void> {
    if (this.received + chunk.length > this.file.bytes) {
      throw await this.mismatch(`the server sends more than its ${this.file.bytes} bytes`);
    }
    await this.part.append(chunk);
    this.received += chunk.length;
    this.mostReceived = Math.max(this.mostReceived, this.received);
    this.progress(this.received, this.file.bytes);
  }

  private headers(): Record<string, string> {
    if (this.received === 0) return {};
    const range = { Range: `bytes=${this.received}-` };
    return this.etag === undefined ? range : { ...range, "If-Range": this.etag };
  }

  /**
   * Whether a response continues the same file at the right byte. A browser may hide the headers of another origin; the hash decides
   * then.
   */
  private continues(response: Response, start: number): boolean {
    const range = response.headers.get("Content-Range");
    const etag = strongETag(response);
    return (range === null || range === `bytes ${start}-${this.file.bytes - 1}/${this.file.bytes}`)
      && (etag === undefined || this.etag === undefined || etag === this.etag);
  }

  private async restart(etag?: string): Promise<void> {
    await this.part.restart(etag);
    this.received = 0;
    this.etag = etag;
  }

  private async mismatch(reason: string): Promise<ChartpipeError> {
    await this.restart();
    return new ChartpipeError(
      "integrity", this.operation, reason, "Open the site again and download the file that it names then",
    );
  }
}

/** `If-Range` needs an `ETag` that is not weak. */
function strongETag(response: Response): string | undefined {
  const etag = response.headers.get("ETag");
  return etag === null || etag.startsWith("W/") ? undefined : etag;
}
