// A server on 127.0.0.1 for a folder, with ranges, validators and the faults that a test asks for.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

export async function serve(folder) {
  const faults = {
    /** Other bytes for a path, or null for a missing file. */
    replaced: new Map(),
    /** Functions that are called for each request of a path, before it is answered. They may change the faults. */
    before: new Map(),
    /** The number of bytes of the next response for a path, after which the connection breaks. */
    cut: new Map(),
    /** Answers for a path that are sent before any other, as status codes. */
    failing: new Map(),
    sendsETags: true,
    sendsLengths: true,
    checksIfRange: true,
    /** The connection of the next response for a path stays open without a byte. */
    silent: new Set(),
  };
  const requests = [];
  const server = createServer((request, response) => {
    answer(folder, faults, requests, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...faults, faults, requests,
    url: `http://127.0.0.1:${server.address().port}`,
    /** The requests of a path, as their `Range` headers. */
    ranges: (path) => requests.filter((each) => each.path === path).map((each) => each.range),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(folder, faults, requests, request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://host").pathname).slice(1);
  const { range, "if-range": ifRange } = request.headers;
  requests.push({ path, range, ifRange });
  faults.before.get(path)?.(requests.filter((each) => each.path === path).length);
  if (faults.silent.delete(path)) return;
  const status = faults.failing.get(path)?.shift();
  if (status !== undefined) return void response.writeHead(status).end();
  const bytes = await content(folder, faults, path);
  if (bytes === undefined) return void response.writeHead(404).end();

  const etag = `"${createHash("sha1").update(bytes).digest("hex")}"`;
  const start = startOf(range, ifRange, etag, faults);
  if (start >= bytes.length && start > 0) {
    return void response.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
  }
  const headers = { "Accept-Ranges": "bytes" };
  if (faults.sendsLengths) headers["Content-Length"] = bytes.length - start;
  if (faults.sendsETags) headers.ETag = etag;
  if (start > 0) headers["Content-Range"] = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(start > 0 ? 206 : 200, headers);
  const cut = faults.cut.get(path);
  if (cut === undefined) {
    response.write(bytes.subarray(start)); // `end` would add the length
    return void response.end();
  }
  faults.cut.delete(path);
  response.write(bytes.subarray(start, start + cut), () => setTimeout(() => response.destroy(), 20));
}

async function content(folder, faults, path) {
  if (faults.replaced.has(path)) return faults.replaced.get(path) ?? undefined;
  return readFile(join(folder, path)).catch(() => undefined);
}

function startOf(range, ifRange, etag, faults) {
  const match = /^bytes=(\d+)-$/.exec(range ?? "");
  if (match === null || (faults.checksIfRange && ifRange !== undefined && ifRange !== etag)) return 0;
  return Number(match[1]);
}
