import { writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { titleOf } from "../../../test/bench/titles";
import { testProgram } from "../../../test/factories/test-program";
import { ThreadIndexer } from "./indexer";
import type { ItemText } from "./item-words";
import { prepareItem } from "./prepare-item";

const log = pino({ level: "silent" });
const file = await testProgram(path.join(import.meta.dirname, "index-worker.ts"), {
  alias: { "snowball-stemmers": path.resolve("node_modules/snowball-stemmers") },
});

const texts = (count: number): ItemText[] =>
  Array.from({ length: count }, (_, i) => ({
    item: {
      kind: "product",
      id: `prd_${i}`,
      campaignId: "cmp_1",
      content: i % 3 ? titleOf(i * 7) : "",
      title: i % 5 ? titleOf(i) : "",
      landingUrl: "https://shop.example/",
      inStock: true,
    },
    details: [{ name: "color", value: "red" }],
    keywords: [],
    language: i % 2 ? "de" : undefined,
  }));

it("prepares the same items on another thread as on this one", async () => {
  const indexer = new ThreadIndexer(file, log);
  const [some, more] = [texts(300), texts(10)];
  const [first, second] = await Promise.all([indexer.prepare(some), indexer.prepare(more)]);
  expect(first).toEqual(some.map((text) => prepareItem(text)));
  expect(second).toEqual(more.map((text) => prepareItem(text)));
  await indexer.stop();
  expect(await indexer.prepare(more)).toBeUndefined();
});

it("leaves the work to this thread if the file is missing or the thread fails", async () => {
  expect(await new ThreadIndexer(path.join(path.dirname(file), "missing.mjs"), log).prepare(texts(1))).toBeUndefined();
  const broken = path.join(path.dirname(file), "broken.mjs");
  writeFileSync(
    broken,
    'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { throw new Error("broken"); });',
  );
  const indexer = new ThreadIndexer(broken, log);
  expect(await indexer.prepare(texts(1))).toBeUndefined();
  expect(await indexer.prepare(texts(1))).toBeUndefined();
  await indexer.stop();
});
