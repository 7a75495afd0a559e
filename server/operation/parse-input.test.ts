import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { exactJson, parseExact } from "../kernel/exact-number";
import { issueText } from "../kernel/input-failure";
import { parseInput } from "./parse-input";

const Input = z.strictObject({
  count: z.int().optional(),
  share: z.number().optional(),
  name: z.string().optional(),
  places: z.array(z.union([z.strictObject({ lat: z.number() }), z.string()])).optional(),
  any: z.record(z.string(), z.unknown()).optional(),
});
const parsed = (json: string) => parseInput(Input, parseExact(json));

beforeAll(() => z.config({ customError: issueText }));
afterAll(() => z.config({ customError: undefined }));

describe("a field of a number", () => {
  it.each([
    ["count", "9007199254740993"],
    ["share", "9223372036854775807"],
    ["share", "1e400"],
  ])("refuses by its name what a double would change: %s %s", (param, number) => {
    expect(() => parsed(`{"${param}":${number}}`)).toThrowError(
      expect.objectContaining({
        code: "invalid_request",
        param,
        message: `${param}: expected a number from -9007199254740991 to 9007199254740991.`,
      }),
    );
  });

  it("takes the nearest double of a decimal, in a union too", () => {
    expect(parsed('{"share":0.10000000000000001,"places":[{"lat":48.858370099999998765},"x"]}')).toEqual({
      share: 0.1,
      places: [{ lat: 48.8583701 }, "x"],
    });
  });
});

describe("a field of another type", () => {
  it("refuses such a number as any number", () => {
    expect(() => parsed('{"name":9007199254740993}')).toThrow("name: expected text, not a number.");
  });

  it("keeps it if it takes any JSON", () => {
    expect(
      exactJson(parsed('{"share":0.10000000000000001,"any":{"id":9007199254740993,"x":0.10000000000000001}}')),
    ).toBe('{"share":0.1,"any":{"id":9007199254740993,"x":0.10000000000000001}}');
  });
});
