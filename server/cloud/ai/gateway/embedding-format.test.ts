import { expect, it } from "vitest";
import { inFormat } from "./embedding-format";
import type { UpstreamFailure } from "./upstream-failure";

/** 1, -2.5 and 0.1 as little-endian floats of 32 bits. */
const BASE64 = "AACAPwAAIMDNzMw9";
const VECTOR = [1, -2.5, 0.1];
const FLOATS = [1, -2.5, Math.fround(0.1)];

const answerOf = (embedding: unknown) => {
  const value = { object: "list", data: [{ object: "embedding", index: 0, embedding }], model: "m" };
  return { text: JSON.stringify(value), value };
};
const refusalOf = (run: () => unknown): UpstreamFailure => {
  try {
    run();
  } catch (failure) {
    return failure as UpstreamFailure;
  }
  throw new Error("it succeeded");
};

it.each([
  ["base64", VECTOR, BASE64],
  ["base64", BASE64, BASE64],
  ["float", BASE64, FLOATS],
  ["float", VECTOR, VECTOR],
  [undefined, BASE64, FLOATS],
  [null, VECTOR, VECTOR],
  ["base64", [[1, 2]], [[1, 2]]],
] as const)("asked for %j, %j is passed on as %j", (encoding_format, given, expected) => {
  const came = answerOf(given);
  const shown = inFormat({ encoding_format, dimensions: Array.isArray(given[0]) ? undefined : 3 }, came);
  expect(JSON.parse(shown.text)).toEqual({ ...came.value, data: [{ ...came.value.data[0], embedding: expected }] });
  if (JSON.stringify(given) === JSON.stringify(expected)) expect(shown.text).toBe(came.text);
});

it.each([VECTOR, BASE64])("says that %j is not as long as was asked for", (embedding) => {
  const { facts, isPassing, fault } = refusalOf(() => inFormat({ dimensions: 256 }, answerOf(embedding)));
  expect([isPassing, fault]).toEqual([false, undefined]);
  expect(facts.shown).toMatchObject({
    code: "unavailable",
    param: "dimensions",
    message:
      "The model returns vectors of 3 components, and not the 256 that were asked for; leave dimensions out, or ask for 3.",
  });
});

it.each([undefined, null, 7, "AACAPw==x", "AACA", [1, null], ["1"]])("%j is no vector", (embedding) => {
  expect(refusalOf(() => inFormat({ encoding_format: "base64" }, answerOf(embedding))).fault).toBe("form");
});
