import { ChartpipeError, messageOf } from "./errors.js";

/** The cryptography of a platform. `node.ts` has one for Node.js. */
export interface Primitives {
  /** Returns 64 lower-case hex digits. */
  sha256(bytes: Uint8Array): Promise<string>;
  /** Whether a signature of 64 bytes is one of this Ed25519 key of 32 bytes. */
  verifyEd25519(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean>;
}

/** WebCrypto, for browsers and other runtimes with `crypto.subtle`. Browsers have it only on pages served by HTTPS or from this machine. */
export const webPrimitives: Primitives = {
  async sha256(bytes) {
    return hex(new Uint8Array(await subtle().digest("SHA-256", bytes)));
  },

  async verifyEd25519(publicKey, signature, message) {
    let key: CryptoKey;
    try {
      key = await subtle().importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
    } catch (error) {
      throw new ChartpipeError(
        "unsupported", "verifying the signature", `WebCrypto cannot use an Ed25519 key: ${messageOf(error)}`,
        "Use a browser with Ed25519, or pass `primitives` with an implementation",
      );
    }
    return subtle().verify({ name: "Ed25519" }, key, signature, message);
  },
};

function subtle(): SubtleCrypto {
  const found = globalThis.crypto?.subtle;
  if (found === undefined) {
    throw new ChartpipeError(
      "unsupported", "verifying a file", "this page or runtime has no crypto.subtle",
      "Serve the page by HTTPS; in Node.js, use `nodePrimitives` from ./node",
    );
  }
  return found;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
