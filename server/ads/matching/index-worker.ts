import { parentPort } from "node:worker_threads";
import type { IndexOrder, IndexResult } from "./indexer";
import { prepareItem } from "./prepare-item";

// Words are sent as one string: thousands of small ones would cost the receiving thread more than indexing them.
parentPort?.on("message", ({ id, texts }: IndexOrder) => {
  const items = texts.map(prepareItem);
  const result: IndexResult = {
    id,
    items: items.map(({ words, written, ...rest }) => ({
      ...rest,
      words: words.join("\n"),
      written: written.join("\n"),
    })),
  };
  parentPort?.postMessage(
    result,
    items.flatMap(({ values, title }) => [values.buffer as ArrayBuffer, title.buffer as ArrayBuffer]),
  );
});
