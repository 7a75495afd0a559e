import { expect, it } from "vitest";
import { readPresignedV2, verifyPresignedV2 } from "./presigned-v2";
import { S3Query } from "./s3-query";
import type { S3Request } from "./s3-request";

/** The example "Query string request authentication alternative" of Amazon S3's documentation. */
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const TARGET =
  "/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620";

it("verifies the example of Amazon S3's documentation on a virtual host, until it expires", () => {
  const query = S3Query.parse(TARGET.split("?")[1] ?? "");
  if (!query) throw new Error("the query is malformed");
  const request = {
    method: "GET",
    path: "/photos/puppy.jpg",
    bucket: "johnsmith",
    key: "photos/puppy.jpg",
    query,
    headers: new Map([["host", "johnsmith.s3.amazonaws.com"]]),
    incoming: { url: TARGET },
  } as unknown as S3Request;
  const presigned = readPresignedV2(request);
  if (!presigned) throw new Error("there is no signature");
  expect(presigned.accessKeyId).toBe("AKIAIOSFODNN7EXAMPLE");
  const at = (seconds: number, secrets = [SECRET]) =>
    verifyPresignedV2(request, presigned, { secrets, now: new Date(seconds * 1000) });
  expect(() => at(1175139620)).not.toThrow();
  expect(() => at(1175139620, ["other", SECRET])).not.toThrow();
  expect(() => at(1175139620, ["other"])).toThrow(expect.objectContaining({ code: "SignatureDoesNotMatch" }));
  expect(() => at(1175139621)).toThrow("Request has expired.");
});
