/** The kinds of problems, for code that reacts to them. */
export type ErrorCode =
  /** The publisher's key did not sign this catalogue, or the signature is missing. Keep the files of the device. */
  | "signature"
  /** The catalogue is older than one that the device accepted before. Keep the newer one. */
  | "replayed"
  /** The catalogue has a format that this version cannot read: the app needs an update. */
  | "format"
  /** A document or an argument does not conform to docs/FORMATS.md. */
  | "invalid"
  /** A file has the wrong size or hash. */
  | "integrity"
  /** The server does not have the file. The publisher may have removed it: open the site again. */
  | "missing"
  /** The network or the server failed, also after all attempts. */
  | "network"
  /** This platform lacks a function that is needed. */
  | "unsupported";

/** An error with the operation, the file, the reason and the next step. */
export class ChartpipeError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** Such as `downloading blobs/48/48b0….mbtiles`. */
    readonly operation: string,
    readonly reason: string,
    readonly suggestion?: string,
  ) {
    super(`${operation}: ${reason}.${suggestion === undefined ? "" : ` ${suggestion}.`}`);
    this.name = "ChartpipeError";
  }
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The fetch of Node.js hides the reason in `cause`.
  const cause = (error as { cause?: unknown }).cause;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
