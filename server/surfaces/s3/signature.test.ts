import { describe, expect, it } from "vitest";
import { S3Query } from "./s3-query";
import { canonicalRequest, EMPTY_SHA256, sha256Hex, sign, signingKey, stringToSign } from "./signature";

/** The credentials, the time and the signatures of the examples in the documentation of Amazon S3. */
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const TIME = "20130524T000000Z";
const SCOPE = { day: "20130524", region: "us-east-1" };
const HOST = ["host", "examplebucket.s3.amazonaws.com"] as const;
const DATE = ["x-amz-date", TIME] as const;

interface Example {
  method?: string;
  path: string;
  query?: string;
  headers: readonly (readonly [string, string])[];
  payload?: string;
}

function signatureOf({ method = "GET", path, query = "", headers, payload = EMPTY_SHA256 }: Example): string {
  const parsed = S3Query.parse(query);
  if (!parsed) throw new Error("the query is malformed");
  const all = new Map(headers);
  const signedHeaders = [...all.keys()].sort();
  const canonical = canonicalRequest({ method, path, query: parsed, headers: all, signedHeaders, payload });
  return sign(signingKey(SECRET, SCOPE), stringToSign(TIME, SCOPE, canonical));
}

describe("the signature of an example of Amazon S3's documentation", () => {
  const empty = [HOST, DATE, ["x-amz-content-sha256", EMPTY_SHA256]] as const;
  const content = sha256Hex("Welcome to Amazon S3.");

  it.each<[string, Example, string]>([
    [
      "GET with a range",
      { path: "/test.txt", headers: [...empty, ["range", "bytes=0-9"]] },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT with a special character in the key",
      {
        method: "PUT",
        path: "/test$file.text",
        payload: content,
        headers: [
          HOST,
          DATE,
          ["date", "Fri, 24 May 2013 00:00:00 GMT"] as const,
          ["x-amz-content-sha256", content] as const,
          ["x-amz-storage-class", "REDUCED_REDUNDANCY"] as const,
        ],
      },
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "GET with a parameter without a value",
      { path: "/", query: "lifecycle", headers: empty },
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "GET with parameters",
      { path: "/", query: "max-keys=2&prefix=J", headers: empty },
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
    [
      "a presigned GET",
      {
        path: "/test.txt",
        headers: [HOST],
        payload: "UNSIGNED-PAYLOAD",
        query: `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=${TIME}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=left-out`,
      },
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    ],
  ])("%s", (_, example, expected) => {
    expect(signatureOf(example)).toBe(expected);
  });
});

describe("the canonical request", () => {
  const canonicalOf = (path: string, query: string) => {
    const parsed = S3Query.parse(query);
    if (!parsed) throw new Error("the query is malformed");
    const signed = { headers: new Map(), signedHeaders: [], payload: "" };
    return canonicalRequest({ method: "GET", path, query: parsed, ...signed })
      .split("\n")
      .slice(1, 3);
  };

  it.each([
    ["/a//b/./../c", "/a//b/./../c"],
    ["/ü €", "/%C3%BC%20%E2%82%AC"],
    ["/!'()*+$&,:;=@~-._", "/%21%27%28%29%2A%2B%24%26%2C%3A%3B%3D%40~-._"],
    ["/100%", "/100%25"],
  ])("has the path %s as %s, never normalised", (path, expected) => {
    expect(canonicalOf(path, "")[0]).toBe(expected);
  });

  it.each([
    ["b=2&a=1", "a=1&b=2"],
    ["a=2&a=1&a=", "a=&a=1&a=2"],
    ["acl", "acl="],
    ["prefix=a%2Fb%20c&x=%7e", "prefix=a%2Fb%20c&x=~"],
    ["a-b=1&a=2", "a=2&a-b=1"],
    ["x=a+b", "x=a%20b"],
    ["x=a=b", "x=a%3Db"],
    ["&&a=1&", "a=1"],
  ])("has the query %s as %s", (query, expected) => {
    expect(canonicalOf("/", query)[1]).toBe(expected);
  });
});

it.each(["a=%", "a=%f", "%ff=1", "a=%C3"])("the query %s is malformed", (query) => {
  expect(S3Query.parse(query)).toBeUndefined();
});
