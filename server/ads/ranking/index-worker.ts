import { parentPort } from "node:worker_threads";
import type { IndexAnswer, IndexOrder } from "./indexer";
import { prepareItem } from "./prepare-item";
import { rememberingStem } from "./tokenizer";

const form = rememberingStem();

// Words travel as one string: thousands of small ones would cost the other thread more than indexing them.
parentPort?.on("message", ({ id, texts }: IndexOrder) => {
  const items = texts.map((text) => prepareItem(text, form));
  const answer: IndexAnswer = { id, items: items.map(({ words, ...rest }) => ({ ...rest, words: words.join("\n") })) };
  parentPort?.postMessage(
    answer,
    items.map(({ values }) => values.buffer as ArrayBuffer),
  );
});
