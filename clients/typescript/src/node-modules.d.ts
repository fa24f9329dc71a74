// The declarations of Node.js that this library uses, so that it compiles without other packages.

declare module "node:crypto" {
  interface Hash {
    update(bytes: Uint8Array): Hash;
    digest(encoding: "hex"): string;
  }
  interface KeyObject {
    readonly type: string;
  }
  export function createHash(algorithm: "sha256"): Hash;
  export function createPublicKey(key: { key: object; format: "jwk" }): KeyObject;
  export function verify(algorithm: null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean;
}

declare module "node:fs" {
  interface Readable extends AsyncIterable<Uint8Array> {
    destroy(): void;
  }
  export function createReadStream(path: string): Readable;
}

declare module "node:fs/promises" {
  interface FileHandle {
    write(bytes: Uint8Array): Promise<{ bytesWritten: number }>;
    writeFile(bytes: Uint8Array): Promise<void>;
    sync(): Promise<void>;
    close(): Promise<void>;
  }
  export function open(path: string, flags: "a" | "w" | "r"): Promise<FileHandle>;
  export function stat(path: string): Promise<{ size: number; isDirectory(): boolean }>;
  export function mkdir(path: string, options: { recursive: boolean }): Promise<string | undefined>;
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function writeFile(path: string, text: string): Promise<void>;
  export function rename(from: string, to: string): Promise<void>;
  export function rm(path: string, options: { force: boolean }): Promise<void>;
}

declare module "node:path" {
  export function dirname(path: string): string;
}

declare module "node:stream/promises" {
  export function pipeline(
    source: AsyncIterable<Uint8Array>, transform: object, target: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>;
}

declare module "node:zlib" {
  export function createGunzip(): object;
}
