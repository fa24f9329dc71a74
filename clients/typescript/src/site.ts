import type { Catalog, Channel, FileReference, ProductFile } from "./catalog.js";
import { catalogLimit, channels, decodeCatalog } from "./catalog.js";
import { cycles, downloadForm, freshness } from "./editions.js";
import { ChartpipeError, messageOf } from "./errors.js";
import { decodeLatest, Latest } from "./latest.js";
import { Primitives, webPrimitives } from "./primitives.js";
import { ChartRegion, decodeRegions } from "./regions.js";
import { joined, RequestOptions, Requester } from "./requests.js";
import { PublicKey, Signature } from "./signature.js";
import { MemoryPart, PartialFile, Progress, Transfer } from "./transfer.js";

export interface SiteOptions extends RequestOptions {
  /** The publisher's key: the line of the `.pub` file that starts with `RW`. Null reads an unsigned site, whose host you must trust. */
  publicKey: string | null;
  /** Default: `cycles`. */
  channel?: Channel;
  /** The highest serial of this channel that this device has ever accepted. A catalogue with a lower one is rejected. */
  highestSerial?: number;
  /** Default: WebCrypto. */
  primitives?: Primitives;
}

export interface DownloadOptions {
  /** Downloads the gzip of a file if there is one. Default: true. */
  unpacking?: boolean;
  progress?: Progress;
}

/** A signature of minisign has at most 10 kB. */
const signatureLimit = 16_384;

/** A published site whose catalogue was verified. */
export class Site {
  private constructor(
    /** The address of the site, with a slash at its end. */
    readonly url: string,
    readonly catalog: Catalog,
    /** The hash of `catalog.json` or `live.json`. */
    readonly sha256: string,
    readonly primitives: Primitives,
    private readonly requester: Requester,
  ) {}

  /**
   * Reads the catalogue of a site, and verifies its signature before it decodes anything. Store `catalog.serial` as the next
   * `highestSerial`.
   *
   * @param url The folder of `catalog.json`.
   */
  static async open(url: string, options: SiteOptions): Promise<Site> {
    const { primitives = webPrimitives, channel = "cycles" } = options;
    const { file } = channels[channel];
    const folder = folderURL(url);
    const key = readKey(options.publicKey);
    const requester = new Requester(options);
    const bytes = await required(requester, folder, file);
    const sha256 = await primitives.sha256(bytes);
    if (key !== null) await verifyCatalog(bytes, sha256, key, channel, requester, folder, primitives);
    const catalog = decodeCatalog(bytes);
    // The same key signs both, so a server could send one in place of the other.
    if ((channel === "live") === cycles(catalog).length > 0) {
      throw new ChartpipeError("invalid", `reading ${folder}${file}`, "it is a catalogue of another channel", "Do not trust the server");
    }
    if (freshness(catalog, options.highestSerial) === "replayed") {
      throw new ChartpipeError(
        "replayed", `opening ${folder}`,
        `the catalogue has the serial ${catalog.serial}, but this device has seen ${options.highestSerial}`,
        "Keep the newer catalogue",
      );
    }
    return new Site(folder, catalog, sha256, primitives, requester);
  }

  /** Reads `latest.json`: a hint whether `open` would find anything newer. */
  static async latest(url: string, options: RequestOptions = {}): Promise<Latest> {
    return decodeLatest(await required(new Requester(options), folderURL(url), "latest.json"));
  }

  /** The list of regions that belongs to the catalogue. `chartRegions` makes one for any time. */
  async regions(): Promise<ChartRegion[]> {
    const { regions } = this.catalog;
    if (regions === undefined) {
      throw new ChartpipeError(
        "missing", `opening ${this.url}`, "the catalogue names no list of regions", "Use chartRegions instead",
      );
    }
    return decodeRegions(await this.download(regions));
  }

  /**
   * Downloads a file into memory and verifies its size and hash. `downloadFile` of `./node` writes to a file.
   *
   * @param part Keep it to continue a download that failed. It belongs to one form of one file.
   */
  async download(
    file: FileReference | ProductFile, options: DownloadOptions = {}, part = new MemoryPart(this.primitives),
  ): Promise<Uint8Array> {
    const form = this.form(file, options);
    await this.transfer(form, part, options.progress);
    if (form === file) return part.bytes();
    const bytes = await unpacked(part.bytes(), file);
    await this.check(bytes, file);
    return bytes;
  }

  /** The form of a file that a download transfers: the file or its gzip. */
  form(file: FileReference | ProductFile, { unpacking = true }: DownloadOptions = {}): FileReference {
    return "role" in file ? downloadForm(file, unpacking) : file;
  }

  /** Downloads exactly the bytes of a file, and verifies them. It continues where the partial file ends. */
  async transfer(file: FileReference, part: PartialFile, progress?: Progress): Promise<void> {
    await new Transfer(this.requester, this.url + file.path, file, part, progress).run();
  }

  private async check(bytes: Uint8Array, file: FileReference): Promise<void> {
    const found = await this.primitives.sha256(bytes);
    if (bytes.length !== file.bytes || found !== file.sha256) throw unpackingError(file, "its size or hash is wrong");
  }
}

export function unpackingError(file: FileReference, reason: string): ChartpipeError {
  return new ChartpipeError(
    "integrity", `unpacking ${file.path}`, reason, "Download it with unpacking: false, and report it to the publisher",
  );
}

function folderURL(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new ChartpipeError("invalid", `opening ${url}`, "it is not a complete address", "Use https://…");
  }
  if (parsed.search !== "" || parsed.hash !== "") {
    throw new ChartpipeError("invalid", `opening ${url}`, "it has a query or a fragment", "Use the address of the folder");
  }
  return parsed.href.endsWith("/") ? parsed.href : `${parsed.href}/`;
}

/** A missing key is an error, so that no site is read without verification by accident. */
function readKey(text: string | null): PublicKey | null {
  if (text === null) return null;
  return PublicKey.parse(typeof text === "string" ? text : "");
}

async function required(requester: Requester, folder: string, path: string): Promise<Uint8Array> {
  const bytes = await requester.document(folder + path, catalogLimit);
  if (bytes === undefined) {
    throw new ChartpipeError(
      "missing", `reading ${folder}${path}`, "the server does not have it", "Check the address of the site",
    );
  }
  return bytes;
}

/**
 * Accepts a catalogue if one of the two files has a signature of the key. The first one belongs to the catalogue with this hash. Sites
 * that only minisign signs have the second one.
 */
async function verifyCatalog(
  bytes: Uint8Array, sha256: string, key: PublicKey, channel: Channel, requester: Requester, folder: string, primitives: Primitives,
): Promise<void> {
  const { file, signatures } = channels[channel];
  let refusal: unknown;
  for (const path of [`${signatures}/${sha256}.minisig`, `${file}.minisig`]) {
    const text = await requester.document(folder + path, signatureLimit);
    if (text === undefined) continue;
    try {
      const signature = Signature.parse(new TextDecoder().decode(text), `${folder}${path}`);
      return await signature.verify(bytes, key, primitives, folder + file);
    } catch (error) {
      if (!(error instanceof ChartpipeError) || error.code !== "signature") throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new ChartpipeError(
    "signature", `verifying the signature of ${folder}${file}`, "the site has no signature for it",
    "Do not trust the file; keep the one that you have",
  );
}

/** Browsers have it since 2023; TypeScript 4.8 has no declaration. */
declare const DecompressionStream: {
  new (format: "gzip"): { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> };
} | undefined;

async function unpacked(packed: Uint8Array, file: FileReference): Promise<Uint8Array> {
  if (typeof DecompressionStream === "undefined") {
    throw new ChartpipeError(
      "unsupported", `unpacking ${file.path}`, "this platform has no DecompressionStream", "Pass unpacking: false",
    );
  }
  const parts: Uint8Array[] = [];
  let count = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      count += next.value.length;
      if (count > file.bytes) throw new Error(`it has more than ${file.bytes} bytes`);
      parts.push(next.value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw unpackingError(file, messageOf(error));
  }
  return joined(parts);
}
