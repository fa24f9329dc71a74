// Downloads files of a site that chartpipe published and signed.
import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { currency, filesToGet, MemoryPart, offer } from "../dist/index.js";
import { downloadFile, nodePrimitives } from "../dist/node.js";
import { database, folder, open, rejects, scratch, server, sha256, then, tiles } from "./site.js";

test("all files that an app needs download into a folder, packed and not", async () => {
  const site = await open();
  for (const product of site.catalog.products) {
    for (const [i, file] of filesToGet(product).entries()) {
      for (const unpacking of [true, false]) {
        const path = join(scratch, `${i}${unpacking}`, product.id);
        await downloadFile(site, file, path, { unpacking });
        assert.equal(sha256(await readFile(path)), file.sha256);
        assert.equal(sha256(await site.download(file, { unpacking })), file.sha256);
        assert.deepEqual((await readdir(join(path, ".."))).filter((name) => name.includes(".part")), []);
      }
    }
  }
  const packed = site.catalog.products.flatMap((product) => product.files).filter((file) => file.gzip !== undefined);
  assert.ok(packed.length >= 5);
  for (const { path, gzip } of packed) {
    assert.equal(server.ranges(gzip.path).length, 2);
    assert.equal(server.ranges(path).length, 2);
  }
});

test("a file that is already there is not downloaded again, and a damaged one is", async () => {
  const site = await open();
  const file = await tiles(site);
  const path = join(scratch, "chart.mbtiles");
  await downloadFile(site, file, path);
  await downloadFile(site, file, path);
  assert.equal(server.ranges(file.path).length, 1);
  const bytes = await readFile(path);
  bytes[1000] ^= 1;
  await writeFile(path, bytes);
  await downloadFile(site, file, path);
  assert.equal(sha256(await readFile(path)), file.sha256);
});

test("an absent product and a folder in place of a file are reported", async () => {
  const site = await open();
  const { shown } = offer(site.catalog, "nasr/none", then);
  for (const use of [() => filesToGet(shown), () => currency(shown, then)]) {
    await rejects(async () => use(), "missing", /the site has no such edition/);
  }
  const file = await tiles(site);
  await rejects(downloadFile(site, file, scratch), "invalid", /is a folder. Name a file/);
  assert.deepEqual(await readdir(scratch), []);
  assert.deepEqual((await readdir(join(scratch, ".."))).filter((name) => name.includes(".part")), []);
});

test("a broken download continues where it ended", async () => {
  const site = await open();
  const file = await tiles(site);
  server.cut.set(file.path, 100_000);
  const path = join(scratch, "chart.mbtiles");
  await downloadFile(site, file, path);
  assert.equal(sha256(await readFile(path)), file.sha256);
  const [first, second, ...more] = server.ranges(file.path);
  assert.equal(first, undefined);
  assert.match(second, /^bytes=[1-9]\d*-$/);
  assert.deepEqual(more, []);
});

test("a download that failed continues later, with the ETag of its first response", async () => {
  const site = await open({ attempts: 1 });
  const file = await tiles(site);
  const path = join(scratch, "chart.mbtiles");
  server.cut.set(file.path, 100_000);
  await rejects(downloadFile(site, file, path), "network", /downloading http:\/\/127\.0\.0\.1:\d+\/blobs.*1 attempts failed/);
  const left = (await readdir(scratch)).sort();
  assert.equal(left.length, 2);
  const { size } = await stat(join(scratch, left[0]));
  assert.ok(size > 0 && size <= 100_000);

  await downloadFile(await open({ attempts: 1 }), file, path);
  const { range, ifRange } = server.requests.filter((each) => each.path === file.path)[1];
  assert.equal(range, `bytes=${size}-`);
  assert.match(ifRange, /^"[0-9a-f]{40}"$/);
  assert.equal(sha256(await readFile(path)), file.sha256);
  assert.deepEqual(await readdir(scratch), ["chart.mbtiles"]);
});

test("a download in memory continues with the same part", async () => {
  const site = await open({ attempts: 1 });
  const file = await tiles(site);
  const part = new MemoryPart(nodePrimitives);
  server.cut.set(file.path, 100_000);
  await rejects(site.download(file, {}, part), "network", /the connection|terminated|aborted/);
  const { bytes } = await part.state();
  assert.ok(bytes > 0);
  assert.equal(sha256(await site.download(file, {}, part)), file.sha256);
  assert.equal(server.ranges(file.path)[1], `bytes=${bytes}-`);
});

test("a connection that breaks often does not use up the attempts while bytes arrive", async () => {
  const site = await open({ attempts: 2 });
  const file = await tiles(site);
  server.before.set(file.path, (count) => {
    if (count <= 6) server.cut.set(file.path, 100_000);
  });
  assert.equal(sha256(await site.download(file)), file.sha256);
  assert.equal(server.ranges(file.path).length, 7);
});

// Without If-Range the client finds the change only from the response, and needs another request.
for (const [name, setting, requests] of [
  ["a server with If-Range", {}, 2],
  ["a server that ignores If-Range", { checksIfRange: false }, 3],
  ["a server without ETags", { sendsETags: false }, 3],
]) {
  test(`a file that changes during its download is not mixed: ${name}`, async () => {
    Object.assign(server.faults, setting);
    const site = await open();
    const file = await tiles(site);
    // The server has a wrong file until its first response breaks, and the right one after that.
    const wrong = await readFile(join(folder, file.path));
    wrong.fill(7);
    server.replaced.set(file.path, wrong);
    server.cut.set(file.path, 100_000);
    server.before.set(file.path, (count) => {
      if (count > 1) server.replaced.delete(file.path);
    });
    const path = join(scratch, "chart.mbtiles");
    await downloadFile(site, file, path);
    assert.equal(sha256(await readFile(path)), file.sha256);
    assert.ok(server.ranges(file.path)[1].startsWith("bytes="));
    assert.equal(server.ranges(file.path).length, requests);
  });
}

for (const [name, change] of [
  ["wrong", (bytes) => bytes.fill(0, 5000, 6000)],
  ["longer", (bytes) => Buffer.concat([bytes, Buffer.from("more")])],
]) {
  test(`a ${name} file leaves nothing under the final name, and an old file in place`, async () => {
    const site = await open();
    const file = await tiles(site);
    server.replaced.set(file.path, change(await readFile(join(folder, file.path))));
    const path = join(scratch, "chart.mbtiles");
    await rejects(downloadFile(site, file, path), "integrity", /SHA-256 is|sends more than/);
    await assert.rejects(stat(path), { code: "ENOENT" });
    await rejects(site.download(file), "integrity", /SHA-256 is|sends more than/);

    await writeFile(path, "the old edition");
    await rejects(downloadFile(site, file, path), "integrity", /SHA-256 is|sends more than/);
    assert.equal(await readFile(path, "utf8"), "the old edition");
    server.replaced.delete(file.path);
    await downloadFile(site, file, path);
    assert.equal(sha256(await readFile(path)), file.sha256);
  });
}

test("a whole response that is shorter than the file is another file, and not asked for again", async () => {
  const site = await open({ attempts: 2 });
  const file = await tiles(site);
  server.replaced.set(file.path, (await readFile(join(folder, file.path))).subarray(0, 9000));
  const path = join(scratch, "chart.mbtiles");
  const wrong = new RegExp(`downloading ${server.url}/${file.path}: the server has 9000 bytes instead of ${file.bytes}\\. Open the site again`);
  await rejects(downloadFile(site, file, path), "integrity", wrong);
  assert.equal(server.ranges(file.path).length, 1);
  await assert.rejects(stat(path), { code: "ENOENT" });

  // Without a length, the end of a response may be that of the connection.
  server.faults.sendsLengths = false;
  await rejects(site.download(file), "network", /2 attempts failed/);
});

test("a gzip with other contents is refused", async () => {
  const site = await open();
  const [product, other] = [database, "sample-nasr/openefb"].map((id) => offer(site.catalog, id, then).inForce);
  const mixed = { ...product.files[0], gzip: other.files[0].gzip };
  const path = join(scratch, "aviation.sqlite");
  await rejects(downloadFile(site, mixed, path), "integrity", /unpacking .*size or hash is wrong/);
  await rejects(site.download(mixed), "integrity", /unpacking .*size or hash is wrong/);
  const short = { ...mixed, bytes: 5_000_000, gzip: { ...product.files[0].gzip } };
  await rejects(downloadFile(site, short, path), "integrity", /size or hash is wrong/);
  const small = { ...product.files[0], bytes: product.files[0].bytes - 1 };
  await rejects(downloadFile(site, small, path), "integrity", /it has more than/);
  await rejects(site.download(small), "integrity", /it has more than/);
  assert.deepEqual((await readdir(scratch)).filter((name) => !name.includes(".part")), []);
});

test("failures of the server are repeated, and refusals are not", async () => {
  server.failing.set("catalog.json", [503, 429, 500]);
  const site = await open();
  const file = await tiles(site);
  server.failing.set(file.path, [503, 503]);
  assert.equal(sha256(await site.download(file)), file.sha256);
  assert.equal(server.ranges(file.path).length, 3);
  server.failing.set(file.path, [403]);
  await rejects(site.download(file), "network", /the server answered 403/);
  assert.equal(server.ranges(file.path).length, 4);
  server.replaced.set(file.path, null);
  await rejects(site.download(file), "missing", /Open the site again/);
});

test("a silent server counts as a failure, and a signal cancels", async () => {
  server.silent.add("catalog.json");
  const site = await open({ stallTimeout: 300 });
  assert.equal(server.ranges("catalog.json").length, 2);
  const file = await tiles(site);
  server.silent.add(file.path);
  await rejects(
    (await open({ stallTimeout: 300, attempts: 1 })).download(file), "network", /the server sent nothing for 0.3 s/,
  );

  const controller = new AbortController();
  const patient = await open({ signal: controller.signal });
  server.silent.add(file.path);
  const waiting = patient.download(file);
  setTimeout(() => controller.abort(new Error("the user closed the page")), 50);
  await assert.rejects(waiting, /the user closed the page/);
});
