import { isUtf8 } from "node:buffer";
import { describe, expect, it } from "vitest";
import { hasRelayedBytes, readableText, relayedBytes, textOfRelayed } from "./relayed-bytes";

const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value));

describe("bytes that are not UTF-8", () => {
  it.each<[string, Buffer]>([
    ["one of Latin-1 within a text", Buffer.from("caf\xe9 \u{1f600}? caf\xe9", "latin1")],
    ["every value", all],
    ["a character that breaks off at the end", Buffer.from("\u{1f600}").subarray(0, 3)],
    ["a surrogate, an overlong form and one behind U+10FFFF", Buffer.from("eda080c0afe080aff4908080", "hex")],
    ["beside characters of private use", Buffer.concat([Buffer.from("\ue0e9\uf8ff\ufffd"), Buffer.of(0xff)])],
  ])("are the same again: %s", (_, bytes) => {
    const text = textOfRelayed(bytes);
    expect([isUtf8(bytes), hasRelayedBytes(text), relayedBytes(text)]).toEqual([false, true, bytes]);
    expect(relayedBytes(JSON.parse(JSON.stringify({ text })).text)).toEqual(bytes);
    expect(isUtf8(Buffer.from(readableText(text)))).toBe(true);
    expect(hasRelayedBytes(readableText(text))).toBe(false);
  });

  it("are U+FFFD for people, and text beside them stays", () => {
    expect(readableText(textOfRelayed(Buffer.from("caf\xe9!", "latin1")))).toBe("caf\ufffd!");
  });

  it("stay where parts of a text are put into another one", () => {
    const word = textOfRelayed(Buffer.from("a,\xe9,b", "latin1")).split(",")[1];
    expect(relayedBytes(`é${word}`)).toEqual(Buffer.concat([Buffer.from("é"), Buffer.of(0xe9)]));
  });

  it("are refused where they are too many to be a text", () => {
    expect(() => textOfRelayed(Buffer.alloc(100_001, 0xff))).toThrow(RangeError);
    expect(relayedBytes(textOfRelayed(Buffer.alloc(100_000, 0xff)))).toHaveLength(100_000);
  });
});

it("bytes of two, three and four bytes are marked exactly where no character begins", () => {
  const seen = (bytes: number[]) => readableText(textOfRelayed(Buffer.from([...bytes, 0xff]))).slice(0, -1);
  for (let first = 0x80; first < 0x100; first++)
    for (let second = 0x7f; second < 0xc1; second++)
      for (const rest of [[], [0x80], [0xbf], [0x80, 0x80], [0xbf, 0xbf], [0x80, 0x41]]) {
        const bytes = [first, second, ...rest];
        expect(seen(bytes).includes("\ufffd")).toBe(!isUtf8(Buffer.from(bytes)));
      }
});

it("UTF-8 is read as it is", () => {
  const text = "café \u{1f600} \ufffd \ue0e9";
  expect([textOfRelayed(Buffer.from(text)), hasRelayedBytes(text)]).toEqual([text, false]);
  expect(relayedBytes(text)).toEqual(Buffer.from(text));
});
