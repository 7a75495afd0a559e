import { describe, expect, it } from "vitest";
import { assertHeaders } from "./assert-headers";
import { HEADER_PREFIXES, HEADERS } from "./request-names";

const refusal = (operation: string, ...names: string[]): string | undefined => {
  try {
    assertHeaders(operation, new Map(names.map((name) => [name, "x"])));
    return undefined;
  } catch (failure) {
    return (failure as Error).message;
  }
};

describe("a header of a request", () => {
  it.each([
    ["PutObject", "x-amz-website-redirect-location"],
    ["PutObject", "x-amz-write-offset-bytes"],
    ["PutObject", "if-unmodified-since"],
    ["UploadPart", "if-none-match"],
    ["DeleteObject", "if-none-match"],
    ["GetObject", "x-amz-of-a-later-year"],
    ["ListBuckets", "x-amz-of-a-later-year"],
  ])("that %s does not act on is refused by its name: %s", (operation, name) => {
    expect(refusal(operation, "host", name)).toBe(`The header ${name} is not supported for this request.`);
  });

  it.each([
    ["PutObject", "x-amz-meta-anything"],
    ["PutObject", "x-amz-storage-class"],
    ["PutObject", "x-amz-grant-read"],
    ["GetObject", "if-none-match"],
    ["GetObject", "x-amz-write-offset-bytes"],
    ["GetObject", "x-amz-cf-id"],
    ["GetObject", "x-custom"],
    ["GetObject", "constructor"],
    ["HeadBucket", "x-amz-expected-bucket-owner"],
  ])("that %s acts on, or that has no meaning there, is accepted: %s", (operation, name) => {
    expect(refusal(operation, "host", name)).toBeUndefined();
  });

  it("is in the list under its lower-case name, with one standing for each operation", () => {
    for (const [name, { used, refused, harmless }] of Object.entries({ ...HEADERS, ...HEADER_PREFIXES })) {
      expect(name).toBe(name.toLowerCase());
      expect([name, Boolean(used || refused || harmless)]).toEqual([name, true]);
      const both = used === "all" ? [] : (used ?? []).filter((operation) => refused?.includes(operation));
      expect([name, both]).toEqual([name, []]);
    }
  });
});
