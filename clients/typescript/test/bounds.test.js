// Servers and documents that nobody can trust: everything ends, with a clear error. scripts/check-typescript sets the variables.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { decodeCatalog, validity } from "../dist/index.js";
import { downloadFile, openSite } from "../dist/node.js";
import { open, publicKey, rejects, scratch, server, tiles } from "./site.js";

const catalogues = fileURLToPath(new URL("../../../Tests/Catalogues", import.meta.url));
const read = (name) => readFile(join(catalogues, name));

test("good catalogues are read and spoiled ones are not", async () => {
  for (const name of await readdir(join(catalogues, "good"))) decodeCatalog(await read(join("good", name)));
  for (const name of await readdir(join(catalogues, "spoiled"))) {
    const bytes = await read(join("spoiled", name));
    assert.throws(() => decodeCatalog(bytes), (error) => ["invalid", "format"].includes(error.code), name);
  }
  const good = await read("good/plain.json");
  const padded = (count) => Buffer.concat([good, Buffer.alloc(count - good.length, " ")]);
  decodeCatalog(padded(4_000_000));
  assert.throws(() => decodeCatalog(padded(4_000_001)), { code: "invalid", message: /more than 4000000 bytes/ });
});

test("the caller's clock decides whether a catalogue is fresh", async () => {
  const dated = decodeCatalog(await read("good/the dates of its signature.json"));
  const end = new Date("2026-12-03T09:01:00Z");
  assert.equal(dated.issued.toISOString(), "2026-10-20T12:00:00.000Z");
  assert.deepEqual(dated.expires, end);
  assert.deepEqual(validity(dated, new Date(end - 1)), { state: "fresh", until: end });
  assert.deepEqual(validity(dated, end), { state: "expired", since: end });
  const plain = decodeCatalog(await read("good/plain.json"));
  assert.equal(plain.expires, undefined);
  assert.deepEqual(validity(plain, end), { state: "unknown" });
  const text = (await read("good/the dates of its signature.json")).toString();
  assert.throws(() => decodeCatalog(text.replace("2026-12-03T09:01:00Z", "soon")), { code: "invalid" });
});

/** A server that answers everything in one way. */
async function hostile(answer, use) {
  const own = createServer(answer);
  await new Promise((resolve) => own.listen(0, "127.0.0.1", resolve));
  try {
    await use((url) => url.replace(server.url, `http://127.0.0.1:${own.address().port}`));
  } finally {
    own.closeAllConnections();
    await new Promise((resolve) => own.close(resolve));
  }
}

/** Sends spaces until the client has enough. */
function endless(response) {
  const piece = Buffer.alloc(1 << 16, " ");
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
}

const forever = (place) => (url, init) => globalThis.fetch(place(url), init);

for (const [name, answer] of [
  ["nothing", () => undefined],
  ["a byte now and then", (_, response) => {
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
  }],
]) {
  test(`a server that sends ${name} is given up`, () => hostile(answer, async (place) => {
    await rejects(open({ fetch: forever(place), documentTimeout: 200 }), "network", /the server is too slow: \d+ bytes in /);
  }));
}

test("a slow file is given up", async () => {
  const site = await open({ fileTimeout: 200 });
  const file = await tiles(site);
  server.silent.add(file.path);
  await rejects(site.download(file), "network", /the server is too slow: \d+ bytes in /);
});

test("a document without an end is cut off", () => hostile((_, response) => endless(response), async (place) => {
  await rejects(open({ fetch: forever(place) }), "invalid", /more than 4000000 bytes/);
}));

test("a file without an end is cut off, and leaves nothing", async () => {
  const file = await tiles(await open());
  await hostile((_, response) => endless(response), async (place) => {
    const site = await open({ fetch: (url, init) => globalThis.fetch(url.endsWith(file.path) ? place(url) : url, init) });
    await rejects(downloadFile(site, file, join(scratch, "chart.mbtiles")), "integrity", /sends more than its/);
    assert.deepEqual(await readdir(scratch), []);
  });
});

test("redirects end, and lead to HTTP alone", async () => {
  for (const [location, pattern] of [
    ["/catalog.json", /redirects more than 8 times/], ["file:///etc/hostname", /from http: to file:/],
    ["ftp://127.0.0.1/catalog.json", /from http: to ftp:/],
  ]) {
    await hostile((_, response) => response.writeHead(302, { Location: location }).end(), async (place) => {
      await rejects(open({ fetch: forever(place) }), "network", pattern);
    });
  }
  await hostile((request, response) => response.writeHead(307, { Location: server.url + request.url }).end(), async (place) => {
    await openSite(place(server.url), { publicKey, documentTimeout: 600_000 });
  });
});

/** What a browser does for a page if the server does not let it read, or is not there. */
async function fromPage(href, work) {
  globalThis.location = new URL(href);
  try {
    await work((url) => openSite(url, { publicKey: null, attempts: 1, fetch: () => Promise.reject(new TypeError("Failed to fetch")) }));
  } finally {
    delete globalThis.location;
  }
}

test("a page that may not read the site learns why, and what to do", async () => {
  const site = "https://charts.example.org/vfr";
  await fromPage("https://app.example.org/map", async (openFrom) => {
    await rejects(openFrom(site), "network", new RegExp(
      "^reading https://charts.example.org/vfr/catalog.json: the browser got no answer from https://charts.example.org \\(Failed to fetch\\): "
      + "there is no connection, or the server does not let pages of https://app.example.org read it \\(CORS\\); 1 attempts failed. "
      + "Check the address and the connection.*Access-Control-Allow-Origin",
    ));
    await rejects(openFrom("http://charts.example.org/vfr"), "network", /may not read http: from a page of https:.*Use an https: address/);
  });
  await fromPage("https://charts.example.org/", (openFrom) =>
    rejects(openFrom(site), "network", /\(Failed to fetch\); 1 attempts failed. Check the connection/));
});

test("no redirect leads from https to http", async () => {
  const asked = [];
  const fetch = async (url) => {
    asked.push(url);
    const Location = url.startsWith("https:") ? "http://charts.example.org/vfr/catalog.json" : url;
    return new Response(null, { status: 302, headers: { Location } });
  };
  await rejects(openSite("https://charts.example.org/vfr", { publicKey: null, fetch }), "network", /from https: to http:/);
  assert.deepEqual(asked, ["https://charts.example.org/vfr/catalog.json"]);
});
