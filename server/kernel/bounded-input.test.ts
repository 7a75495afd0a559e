import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedInput, INPUT_LIMITS, inputIssue } from "./bounded-input";
import { canonicalJson } from "./canonical-json";

/** `depth` nested lists. */
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

/** Like the references of superjson: `levels` objects, and 2^levels paths to the innermost. */
function shared(levels: number): unknown {
  let value: unknown = { leaf: 1 };
  for (let i = 0; i < levels; i++) value = { a: value, b: value };
  return value;
}

const EDGES = [
  ["depth", nested(INPUT_LIMITS.depth), nested(INPUT_LIMITS.depth + 1)],
  ["values of a list", Array(INPUT_LIMITS.nodes - 1).fill([]), Array(INPUT_LIMITS.nodes).fill([])],
  ["values of an object", objectOf(INPUT_LIMITS.nodes - 1), objectOf(INPUT_LIMITS.nodes)],
  ["text", ["x".repeat(INPUT_LIMITS.bytes)], ["x".repeat(INPUT_LIMITS.bytes + 1)]],
  ["text in UTF-8", "é".repeat(INPUT_LIMITS.bytes / 2), `${"é".repeat(INPUT_LIMITS.bytes / 2)}x`],
] as const;

function objectOf(fields: number): object {
  return Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, 1]));
}

describe("an input", () => {
  it.each(EDGES)("is accepted at the limit of its %s and rejected one past it", (_, within, past) => {
    expect(inputIssue(within)).toBeUndefined();
    expect(inputIssue(past)).toMatchObject({ message: expect.stringMatching(/^The input /) });
  });

  it.each([
    ["NUL", { a: [{ b: "x\0" }] }, "a[0].b"],
    ["half of a surrogate pair", { a: ["\ud800"] }, "a[0]"],
    ["a name with NUL", { a: { "b\0": 1 } }, "a"],
    ["__proto__", JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'), "a"],
    ["constructor.prototype", { constructor: { prototype: {} } }, "body"],
  ])("is rejected by name for %s", (_, value, param) => {
    expect(() => boundedInput(value)).toThrowError(expect.objectContaining({ code: "invalid_request", param }));
  });

  it("may have a field that is only called constructor", () => {
    expect(inputIssue({ constructor: "Ferrari" })).toBeUndefined();
  });

  it.each([24, 40, 1000])("of %i levels of shared references costs no more than the limits", (levels) => {
    expect(inputIssue(shared(levels))).toBeDefined();
    expect(() => canonicalJson(shared(levels))).toThrow(RangeError);
  });

  it("that contains itself is rejected", () => {
    const value: unknown[] = [];
    value.push(value);
    expect(inputIssue(value)).toMatchObject({ message: expect.stringContaining("nested deeper") });
  });
});

/** Counts what the limits count, but on the JSON text. */
function measure(text: string) {
  let [depth, deepest, nodes, bytes] = [0, 0, 0, 0];
  const tokens = text.match(/"(?:\\.|[^"\\])*"(\s*:)?|[[\]{}]|[^\s[\]{},:"]+/g) ?? [];
  for (const token of tokens) {
    if (token === "]" || token === "}") depth--;
    else if (!token.endsWith(":")) nodes++;
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    if (token.startsWith('"')) bytes += Buffer.byteLength(JSON.parse(token.replace(/\s*:$/, "")) as string);
  }
  return { depth: deepest, nodes, bytes };
}

it("of any JSON is rejected over the limits, and accepted within them", () => {
  const limits = { depth: 4, nodes: 20, bytes: 60 };
  const within = (text: string) => {
    const measured = measure(text);
    return (["depth", "nodes", "bytes"] as const).every((name) => measured[name] <= limits[name]);
  };
  const seen = { taken: 0, refused: 0 };
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8, depthSize: "small" },
      fc.oneof(fc.string({ maxLength: 12, unit: "grapheme-ascii" }), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("tree"), { maxLength: 6 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 6, unit: "grapheme-ascii" }), tie("tree"), { maxKeys: 6 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value);
      const isTaken = inputIssue(JSON.parse(text), limits) === undefined;
      seen[isTaken ? "taken" : "refused"]++;
      expect(isTaken).toBe(within(text) && !/"__proto__":/.test(text));
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
});

it("canonical JSON is one text for one value, whatever the order of its names", () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const reversed = JSON.parse(JSON.stringify(value), (_, part: unknown) =>
        typeof part === "object" && part !== null && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).reverse())
          : part,
      );
      expect(canonicalJson(reversed)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))));
    }),
  );
});
