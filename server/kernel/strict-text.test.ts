import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strictText, utf8Fault } from "./strict-text";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("the text of bytes from outside", () => {
  it.each([
    ["a byte of Latin-1", latin1('{"body":"caf\xe9"}'), 12],
    ["a character that is cut off", Buffer.from("häß").subarray(0, 4), 3],
    ["an overlong slash", latin1("\xc0\xaf"), 0],
    ["half of a surrogate pair", latin1("ab\xed\xa0\x80"), 2],
    ["a number above the last character", latin1("\xf4\x90\x80\x80"), 0],
    ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), 0],
    ["a fault after replacement characters", Buffer.concat([Buffer.from("\ufffdé\ufffd"), latin1("\xff")]), 8],
    ["a continuation without a begin", latin1("a\xbf"), 1],
  ])("is refused at the offset of the first byte that is not UTF-8: %s", (_, bytes, offset) => {
    expect(utf8Fault(bytes)).toBe(offset);
    expect(() => strictText(bytes, "The body")).toThrowError(
      expect.objectContaining({
        code: "invalid_request",
        message: `The body is not UTF-8 text: the byte at offset ${offset} is not part of a character. Send it in UTF-8.`,
        details: { reason: "not_utf8", offset },
      }),
    );
  });

  it("keeps every character, replacement characters too, and takes away one byte order mark", () => {
    for (const text of ["", "é\0\ufffd🧭", "a\ufeffb"]) expect(strictText(Buffer.from(text))).toBe(text);
    expect(strictText(Buffer.from("\ufeff{}"))).toBe("{}");
    expect(strictText(new Uint8Array([0, 97, 98]).subarray(1))).toBe("ab");
  });

  it("has a fault exactly where a strict decoder has one", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const decodes = (bytes: Uint8Array): boolean => {
      try {
        decoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: "binary" }), (bytes, text) => {
        const whole = Buffer.concat([Buffer.from(text), bytes]);
        const fault = utf8Fault(whole);
        expect(fault === undefined).toBe(decodes(whole));
        if (fault !== undefined) expect(decodes(whole.subarray(0, fault))).toBe(true);
      }),
    );
  });
});
