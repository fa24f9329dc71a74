/** The kinds of problems, for code that reacts to them. */
export type ErrorCode =
  /** The publisher's key did not sign this catalogue, or the signature is missing. Keep the files of the device. */
  | "signature"
  /** The catalogue is older than one that the device accepted before. Keep the newer one. */
  | "replayed"
  /** The catalogue has a format that this version cannot read: the app needs an update. */
  | "format"
  /** A document or an argument does not conform to docs/formats. */
  | "invalid"
  /** A file has the wrong size or hash. */
  | "integrity"
  /** The server does not have the file. The publisher may have removed it: open the site again. */
  | "missing"
  /** The network or the server failed, also after all attempts. */
  | "network"
  /** This platform lacks a function that is needed. */
  | "unsupported";

/** An error with the operation, the file, the reason and the next step, without the control characters of a server's texts. */
export class ChartpipeError extends Error {
  /** Such as `downloading https://charts.example.org/vfr/blobs/48/48b0….mbtiles`. */
  readonly operation: string;
  readonly reason: string;

  constructor(readonly code: ErrorCode, operation: string, reason: string, readonly suggestion?: string) {
    const [what, why] = [operation, reason].map(withoutControls) as [string, string];
    super(`${what}: ${why}.${suggestion === undefined ? "" : ` ${suggestion}.`}`);
    this.name = "ChartpipeError";
    this.operation = what;
    this.reason = why;
  }
}

/** The text without characters that could change what a terminal shows. Line ends and tabs stay. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "");
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The fetch of Node.js hides the reason in `cause`.
  const cause = (error as { cause?: unknown }).cause;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
