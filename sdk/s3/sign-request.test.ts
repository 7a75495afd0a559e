import { describe, expect, it } from "vitest";
import { encodeS3, sha256, signRequest } from "./sign-request";

/** The credentials of the examples in "Authenticating Requests: Using the Authorization Header" of the S3 API reference. */
const ACCESS = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const NOW = new Date("2013-05-24T00:00:00.000Z");
const sign = (method: string, path: string, { headers = {}, body = "" } = {}) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`);
  return signRequest({ method, url, headers, payloadHash: sha256(body) }, ACCESS, NOW).authorization ?? "";
};

describe("signRequest gives the signatures of Amazon's examples", () => {
  it.each([
    [
      "an object with a range",
      () => sign("GET", "/test.txt", { headers: { range: "bytes=0-9" } }),
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "an upload with headers",
      () =>
        sign("PUT", "/test%24file.text", {
          headers: { Date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
          body: "Welcome to Amazon S3.",
        }),
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "a query parameter without a value",
      () => sign("GET", "/?lifecycle"),
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "a list",
      () => sign("GET", "/?max-keys=2&prefix=J"),
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ])("%s", (_, signed, signature) => {
    expect(signed()).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request, SignedHeaders=/,
    );
    expect(signed()).toMatch(new RegExp(`Signature=${signature}$`));
  });
});

it("encodeS3 encodes everything but the unreserved characters", () => {
  expect(encodeS3("aZ9-._~ !'()*+/?ü")).toBe("aZ9-._~%20%21%27%28%29%2A%2B%2F%3F%C3%BC");
});
