import { describe, expect, it } from "vitest";
import { checkPolicy } from "./post-policy";

const NOW = new Date("2030-01-01T00:00:00Z");
const LATER = "2030-01-01T00:00:01.000Z";
const encoded = (document: unknown) => Buffer.from(JSON.stringify(document)).toString("base64");
const policy = (...conditions: unknown[]) => encoded({ expiration: LATER, conditions });
const FIELDS = { bucket: "b", key: "folder/file", "x-ignore-me": "1", policy: "", "x-amz-signature": "" };
const check = (text: string, fields: Record<string, string> = FIELDS) => {
  try {
    return checkPolicy(text, new Map(Object.entries(fields)), NOW);
  } catch (failure) {
    return (failure as { code: string }).code;
  }
};
const KEY = ["starts-with", "$key", "folder/"];

describe("a policy of a form", () => {
  it("allows fields that meet its conditions, regardless of the case of their names", () => {
    expect(check(policy({ bucKet: "b" }, ["StArTs-WiTh", "$KEY", "folder/"]))).toEqual({ least: 0, most: Infinity });
    expect(check(policy({ bucket: "b" }, ["eq", "$key", "folder/file"], ["content-length-range", 1, "10"]))).toEqual({
      least: 1,
      most: 10,
    });
    expect(check(policy({ bucket: "b" }, ["starts-with", "$key", ""]))).toMatchObject({ least: 0 });
  });

  it.each<[string, string, Record<string, string>?]>([
    ["is over", encoded({ expiration: NOW.toISOString(), conditions: [{ bucket: "b" }, KEY] })],
    ["is of another bucket", policy({ bucket: "c" }, KEY)],
    ["names no bucket", policy(KEY)],
    ["requires another key", policy({ bucket: "b" }, { key: "folder" })],
    ["requires a field that was not sent", policy({ bucket: "b" }, KEY, ["starts-with", "$x-amz-meta-a", "b"])],
    ["does not name a field that was sent", policy({ bucket: "b" }, KEY), { ...FIELDS, acl: "private" }],
  ])("that %s denies the form", (_, text, fields) => {
    expect(check(text, fields)).toBe("AccessDenied");
  });

  it.each<[string, string]>([
    ["no JSON", Buffer.from("{").toString("base64")],
    ["no object", encoded([])],
    ["no expiration", encoded({ conditions: [{ bucket: "b" }, KEY] })],
    ["an expiration in another form", encoded({ expiration: "2031-01-01 00:00:00", conditions: [] })],
    ["names in another case", encoded({ EXPIRATION: LATER, conditions: [] })],
    ["no conditions", encoded({ expiration: LATER })],
    ["an empty condition", policy({})],
    ["a condition with two members", policy({ a: "b", c: "d" })],
    ["a condition without a value", policy(["eq", "$key"])],
    ["another operator", policy(["ends-with", "$key", "x"])],
    ["a range without its end", policy(["content-length-range", 0])],
    ["a range below 0", policy(["content-length-range", -1, 0])],
  ])("with %s is invalid", (_, text) => {
    expect(check(text)).toBe("InvalidPolicyDocument");
  });
});
