import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor";

const VALUE = 'p@ss "word"\n/+ü✓ 42';
const streamed = (values: string[], parts: readonly string[]): string => {
  const { push, end } = createRedactor(values).stream();
  return parts.map(push).join("") + end();
};

/** The text with every character replaced that an occurrence of a value covers, found by looking at every position. */
function expected(values: readonly string[], text: string): string {
  let out = "";
  for (let at = 0; at < text.length; ) {
    let end = at;
    for (let from = at; from === at || from < end; from++) {
      for (const value of values) if (text.startsWith(value, from)) end = Math.max(end, from + value.length);
    }
    out += end > at ? "[redacted]" : text.charAt(at);
    at = Math.max(at + 1, end);
  }
  return out;
}

describe("a redactor", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  it.each([
    ["as it is", VALUE],
    ["in JSON", JSON.stringify({ env: VALUE })],
    ["in base64", base64(VALUE)],
    ["in base64url", Buffer.from(VALUE).toString("base64url")],
    ["in the base64 of a longer text", base64(`u:${VALUE}!`)],
    ["in the base64 of another longer text", base64(`user:${VALUE}`)],
    ["in hexadecimal digits", Buffer.from(VALUE).toString("hex")],
    ["in a URL", `https://x.example/?q=${encodeURIComponent(VALUE)}`],
    ["in a form", new URLSearchParams({ q: VALUE }).toString()],
  ])("finds a value %s", (_, text) => {
    const redacted = createRedactor([VALUE]).redact(`before ${text} after`);
    expect(redacted).toContain("[redacted]");
    for (const form of [VALUE, base64(VALUE).slice(4, -4), encodeURIComponent(VALUE)]) {
      expect(redacted).not.toContain(form);
    }
    expect(redacted.startsWith("before ")).toBe(true);
    expect(redacted.endsWith(" after")).toBe(true);
  });

  it("leaves other text and values of fewer than 8 characters as they are", () => {
    expect(createRedactor(["short", "a-long-value"]).redact("short a-long-valuE")).toBe("short a-long-valuE");
    expect(createRedactor([]).redact("text")).toBe("text");
  });

  it("holds back no more than what may be the beginning of a value", () => {
    const { push, end } = createRedactor(["abcdefgh"]).stream();
    expect([push("x abcd"), push("efg"), push("h y"), push("abc"), end()]).toEqual([
      "x ",
      "",
      "[redacted] y",
      "",
      "abc",
    ]);
  });

  // Few letters, so that values occur, overlap and contain each other.
  const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 12 });
  const text = fc.array(fc.oneof(word, fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 })));

  it("replaces exactly what occurrences of values cover, however the text is divided", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), text, (values, parts) => {
        // Beside the values themselves their other forms have no character of these texts but a and b in base64.
        const whole = parts.join("");
        const redacted = expected(values, whole);
        expect(createRedactor(values).redact(whole)).toBe(redacted);
        expect(streamed(values, parts)).toBe(redacted);
        expect(streamed(values, [...whole])).toBe(redacted);
      }),
      { numRuns: 500 },
    );
  });

  it("finds every form of any value across the borders of parts", () => {
    const value = fc
      .string({ unit: "binary", minLength: 8, maxLength: 40 })
      .filter((one) => one.isWellFormed() && !/[<>]/.test(one));
    const forms = [
      (one: string) => one,
      base64,
      (one: string) => Buffer.from(one).toString("hex"),
      (one: string) => encodeURIComponent(one),
      (one: string) => JSON.stringify(one).slice(1, -1),
    ];
    fc.assert(
      fc.property(value, fc.constantFrom(...forms), fc.nat({ max: 60 }), (secret, form, cut) => {
        const secretForm = form(secret);
        const whole = `>${secretForm}<`;
        expect(streamed([secret], [whole.slice(0, cut), whole.slice(cut)])).toBe(">[redacted]<");
      }),
    );
  });
});
