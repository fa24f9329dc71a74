import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { FileReference, ProductFile } from "./catalog.js";
import { ChartpipeError, messageOf } from "./errors.js";
import type { Primitives } from "./primitives.js";
import { DownloadOptions, Site, SiteOptions, unpackingError } from "./site.js";
import type { PartialFile } from "./transfer.js";

/** The cryptography of Node.js. */
export const nodePrimitives: Primitives = {
  async sha256(bytes) {
    return createHash("sha256").update(bytes).digest("hex");
  },

  async verifyEd25519(publicKey, signature, message) {
    const x = btoa(String.fromCharCode(...publicKey)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, message, key, signature);
  },
};

/** `Site.open` with the cryptography of Node.js. */
export function openSite(url: string, options: SiteOptions): Promise<Site> {
  return Site.open(url, { primitives: nodePrimitives, ...options });
}

/**
 * Downloads a file of the site to a path. Nothing happens if the path already has this file.
 *
 * The bytes go to a file with the suffix `.part` beside the path, so a download continues after a crash. The path changes only by a
 * rename, after size and hash are verified. One process at a time may download to a path.
 */
export async function downloadFile(
  site: Site, file: FileReference | ProductFile, path: string, options: DownloadOptions = {},
): Promise<void> {
  if (await isFolder(path)) {
    throw new ChartpipeError("invalid", `downloading ${file.path}`, `${path} is a folder`, "Name a file");
  }
  if (await isComplete(path, file)) return;
  await mkdir(dirname(path), { recursive: true });
  const form = site.form(file, options);
  // Another edition has another name, so no download continues a different file.
  const part = new FilePart(`${path}.${form.sha256.slice(0, 16)}.part`);
  try {
    await site.transfer(form, part, options.progress);
  } catch (error) {
    if (error instanceof ChartpipeError && error.code === "integrity") await part.remove();
    throw error;
  } finally {
    await part.close();
  }
  if (form === file) {
    await move(part.path, path);
  } else {
    await unpack(part.path, file, path);
  }
  await part.remove();
}

async function isComplete(path: string, file: FileReference): Promise<boolean> {
  return (await sizeOf(path)) === file.bytes && (await hashOf(path)) === file.sha256;
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.size;
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

function isMissing(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ENOENT";
}

/** Renames a file that is durable, and makes the rename durable. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), "r");
  await folder.sync();
  await folder.close();
}

async function unpack(packed: string, file: FileReference, path: string): Promise<void> {
  const whole = `${path}.${file.sha256.slice(0, 16)}.unpacked`;
  try {
    await unpackInto(whole, packed, file);
    await move(whole, path);
  } catch (error) {
    await rm(whole, { force: true });
    throw error;
  }
}

async function unpackInto(whole: string, packed: string, file: FileReference): Promise<void> {
  const hash = createHash("sha256");
  const output = await open(whole, "w");
  let count = 0;
  try {
    await pipeline(createReadStream(packed), createGunzip(), async (chunks) => {
      for await (const chunk of chunks) {
        count += chunk.length;
        if (count > file.bytes) throw new Error("too long");
        hash.update(chunk);
        await output.writeFile(chunk);
      }
    });
    await output.sync();
  } catch (error) {
    // The pipeline may report its own end in place of the reason.
    if (count > file.bytes) throw unpackingError(file, `it has more than ${file.bytes} bytes`);
    const isDamaged = String((error as { code?: unknown }).code).startsWith("Z_");
    throw isDamaged ? unpackingError(file, messageOf(error)) : error;
  } finally {
    await output.close();
  }
  if (count !== file.bytes || hash.digest("hex") !== file.sha256) {
    throw unpackingError(file, "its size or hash is wrong");
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** A partial file on disk, and the `ETag` of its response in a file beside it. */
class FilePart implements PartialFile {
  private handle?: Handle;
  private readonly etagPath: string;

  constructor(readonly path: string) {
    this.etagPath = `${path}.etag`;
  }

  async state() {
    return { bytes: (await sizeOf(this.path)) ?? 0, etag: await this.etag() };
  }

  private async etag(): Promise<string | undefined> {
    try {
      return (await readFile(this.etagPath, "utf8")) || undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The bytes go first, so the `ETag` never belongs to earlier ones. */
  async restart(etag?: string) {
    await this.close();
    this.handle = await open(this.path, "w");
    await writeFile(this.etagPath, etag ?? "");
  }

  async append(chunk: Uint8Array) {
    this.handle ??= await open(this.path, "a");
    await this.handle.writeFile(chunk);
  }

  async sha256() {
    this.handle ??= await open(this.path, "a");
    await this.handle.sync();
    await this.close();
    return hashOf(this.path);
  }

  async close() {
    await this.handle?.close();
    this.handle = undefined;
  }

  async remove() {
    await rm(this.path, { force: true });
    await rm(this.etagPath, { force: true });
  }
}
