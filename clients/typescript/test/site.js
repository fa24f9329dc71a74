// What the tests against a site share. scripts/check-typescript sets the variables:
// CHARTPIPE_TEST_SITE     the folder of a published site at its second or a later publication
// CHARTPIPE_TEST_KEY      the publisher's public key
// CHARTPIPE_TEST_OTHER    another public key
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "node:test";
import { filesToGet, offer } from "../dist/index.js";
import { openSite } from "../dist/node.js";
import { serve } from "./server.js";

export const folder = process.env.CHARTPIPE_TEST_SITE;
export const publicKey = await readFile(process.env.CHARTPIPE_TEST_KEY, "utf8");
export const otherKey = await readFile(process.env.CHARTPIPE_TEST_OTHER, "utf8");
export const chart = "sample-sectional/Sample_West";
export const database = "sample-nasr/aviation";
/** In force in the samples' cycle. */
export const then = new Date("2023-05-01T00:00:00Z");

/** The server and the empty folder of the running test. */
export let server, scratch;
beforeEach(async () => {
  server = await serve(folder);
  scratch = await mkdtemp(join(tmpdir(), "chartpipe-client-"));
});
afterEach(async () => {
  await server.close();
  await rm(scratch, { recursive: true });
});

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
export const open = (more = {}) => openSite(server.url, { publicKey, retryDelay: 1, documentTimeout: 600_000, fileTimeout: 600_000, ...more });
export const rejects = (work, code, pattern) => assert.rejects(work, (error) => {
  assert.equal(error.code, code, error.stack);
  assert.match(error.message, pattern);
  return true;
});

/** The file with the tiles of the chart. */
export async function tiles(site) {
  const product = offer(site.catalog, chart, then).inForce;
  return filesToGet(product).find((file) => file.role === "tiles");
}
