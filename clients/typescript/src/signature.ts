import { blake2b } from "./blake2b.js";
import { ChartpipeError } from "./errors.js";
import { hex, Primitives } from "./primitives.js";

const untrustedStart = "untrusted comment:";
const trustedStart = "trusted comment: ";
/** The algorithms of a signature: Ed25519 over the file, or over its BLAKE2b-512. */
const legacy = "Ed";
const prehashed = "ED";

/** A publisher's public key in minisign's format. */
export class PublicKey {
  private constructor(
    readonly id: Uint8Array,
    readonly key: Uint8Array,
  ) {}

  /** Parses a `.pub` file of two lines, or its second line alone. */
  static parse(text: string): PublicKey {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const line = lines.filter((each) => each !== "" && !each.startsWith(untrustedStart)).pop();
    const bytes = base64(line ?? "");
    if (bytes === undefined || bytes.length !== 42 || ascii(bytes.subarray(0, 2)) !== legacy) {
      throw new ChartpipeError(
        "invalid", "reading the public key", "it is not a public key in minisign's format",
        "Use the line that starts with RW of the publisher's .pub file",
      );
    }
    return new PublicKey(bytes.slice(2, 10), bytes.slice(10));
  }

  /** The identifier as minisign prints it. */
  get name(): string {
    return keyName(this.id);
  }
}

/** A detached signature in minisign's format. */
export class Signature {
  private constructor(
    readonly algorithm: string,
    readonly keyID: Uint8Array,
    private readonly signature: Uint8Array,
    /** Signed, too. */
    readonly trustedComment: string,
    private readonly commentSignature: Uint8Array,
  ) {}

  /**
   * Parses a `.minisig` file.
   *
   * @param path The file's name for errors.
   */
  static parse(text: string, path: string): Signature {
    const lines = text.split("\n").map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
    const first = base64(lines[1] ?? "");
    const second = base64(lines[3] ?? "");
    const algorithm = first === undefined ? "" : ascii(first.subarray(0, 2));
    if (
      lines.length !== 4 || !lines[0].startsWith(untrustedStart) || !lines[2].startsWith(trustedStart)
      || first?.length !== 74 || second?.length !== 64 || (algorithm !== legacy && algorithm !== prehashed)
    ) {
      throw refusal(path, "the file is not a signature in minisign's format");
    }
    return new Signature(
      algorithm, first.slice(2, 10), first.slice(10), lines[2].slice(trustedStart.length), second,
    );
  }

  /**
   * Throws a `ChartpipeError` unless the key signed both the file and the trusted comment.
   *
   * @param path The file's name for errors.
   */
  async verify(file: Uint8Array, key: PublicKey, primitives: Primitives, path: string): Promise<void> {
    if (hex(this.keyID) !== hex(key.id)) {
      throw refusal(path, `the signature is of the key ${keyName(this.keyID)}, not of ${key.name}`);
    }
    const signed = this.algorithm === prehashed ? blake2b(file) : file;
    if (!(await primitives.verifyEd25519(key.key, this.signature, signed))) {
      throw refusal(path, "the signature does not match the file");
    }
    const comment = new TextEncoder().encode(this.trustedComment);
    const whole = new Uint8Array(this.signature.length + comment.length);
    whole.set(this.signature);
    whole.set(comment, this.signature.length);
    if (!(await primitives.verifyEd25519(key.key, this.commentSignature, whole))) {
      throw refusal(path, "the trusted comment of the signature was changed");
    }
  }
}

function refusal(path: string, reason: string): ChartpipeError {
  return new ChartpipeError(
    "signature", `verifying the signature of ${path}`, reason, "Do not trust the file; keep the one that you have",
  );
}

/** minisign prints an identifier as a little-endian number. */
function keyName(id: Uint8Array): string {
  return hex(id.slice().reverse()).toUpperCase();
}

function base64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
