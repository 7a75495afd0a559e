import { expect, test } from "vitest";
import { type Asked, coverageNeeded, SHARE_OF_BEST_NEEDED } from "./coverage-gate";
import { intentOf } from "./read-intent";
import { tokenize } from "./tokenizer";

const asked = (intent: Asked["intent"], words = 3): Asked => ({
  source: "query",
  intent,
  terms: Array(words).fill(""),
});
const passes = (best: Partial<Parameters<typeof coverageNeeded>[0]>, need: Asked) =>
  coverageNeeded({ ofKind: 0, named: 0, other: 0, ...best }, need) !== undefined;

test("an item that is what the noun names needs less in common than one that merely has the noun", () => {
  for (const intent of ["ask", "plain", "buy"] as const) {
    expect(passes({ ofKind: 0.71 }, asked(intent)) || intent === "ask").toBe(true);
    expect(passes({ named: 0.68 }, asked(intent))).toBe(false);
  }
  expect([passes({ ofKind: 0.55 }, asked("buy")), passes({ ofKind: 0.55 }, asked("plain"))]).toEqual([true, false]);
});

test("an item without the noun opens nothing, whatever else it has", () => {
  for (const intent of ["ask", "plain", "buy"] as const) expect(passes({ other: 1 }, asked(intent))).toBe(false);
});

test("one word of a question opens nothing, one word of a search does", () => {
  expect([passes({ ofKind: 1 }, asked("ask", 1)), passes({ ofKind: 1 }, asked("plain", 1))]).toEqual([false, true]);
});

test("a page's context opens with little in common", () => {
  expect(passes({ other: 0.31 }, { ...asked("plain"), source: "context" })).toBe(true);
  expect(passes({ other: 0.29 }, { ...asked("plain"), source: "context" })).toBe(false);
});

test("beside the best item another needs a share of its coverage", () => {
  expect(coverageNeeded({ ofKind: 0.6, named: 0.8, other: 0.9 }, asked("buy"))).toBeCloseTo(0.9 * SHARE_OF_BEST_NEEDED);
});

test("words of commerce make a wish, asking words and whole sentences a question, the rest is a plain search", () => {
  const intents = [
    ["where can I buy a laptop", "buy"],
    ["which printer should I get", "buy"],
    ["how does a mouse give birth", "ask"],
    ["record a will", "ask"],
    ["lens of the human eye", "ask"],
    ["i love you", "ask"],
    ["wireless mouse", "plain"],
    ["headphones for the gym", "plain"],
  ] as const;
  expect(intents.map(([text]) => [text, intentOf(tokenize(text))])).toEqual(intents);
});
