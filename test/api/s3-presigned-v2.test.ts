import { createHmac } from "node:crypto";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "presigned-v2";
const server = await openForFile(s3Server());
const key = await (await s3Tenant(server)).key();
const s3 = s3Client(server, key.credentials);
await s3.send(new CreateBucketCommand({ Bucket }));
await s3.send(new PutObjectCommand({ Bucket, Key: "ü 1", Body: "content" }));

interface Signed {
  method?: string;
  /** Below the bucket, encoded. */
  path?: string;
  /** Seconds from now. */
  expiresIn?: number;
  /** Headers that are signed. */
  headers?: Record<string, string>;
  /** Signed parameters, in order. */
  parameters?: string;
  /** What comes before the bucket in the signed path. */
  prefix?: string;
}

/** A URL as boto3 and the AWS CLI presign it without further configuration: the path without the endpoint's own. */
function presigned({ method = "GET", path = "%C3%BC%201", expiresIn = 60, ...rest }: Signed = {}): string {
  const { headers = {}, parameters = "", prefix = "" } = rest;
  const expires = Math.floor(server.test.clock.now().getTime() / 1000) + expiresIn;
  const amz = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-"));
  const text = [
    method,
    "",
    headers["content-type"] ?? "",
    expires,
    ...amz.map(([name, value]) => `${name}:${value}`),
    `${prefix}/${Bucket}/${path}${parameters && `?${decodeURIComponent(parameters)}`}`,
  ].join("\n");
  const { accessKeyId, secretAccessKey } = key.credentials;
  const signature = createHmac("sha1", secretAccessKey).update(text).digest("base64");
  const query = new URLSearchParams({ AWSAccessKeyId: accessKeyId, Signature: signature, Expires: String(expires) });
  return `${server.url}/${Bucket}/${path}?${query}${parameters && `&${parameters}`}`;
}

const outcome = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  const text = await response.text();
  return [response.status, /<Code>(.*?)<\/Code>/.exec(text)?.[1] ?? text];
};

it("reads an object, with the path of the endpoint in what is signed or without it", async () => {
  expect(await outcome(presigned())).toEqual([200, "content"]);
  expect(await outcome(presigned({ prefix: "/v1/s3" }))).toEqual([200, "content"]);
  const parameters = "response-content-disposition=attachment%3B%20a";
  const response = await fetch(presigned({ parameters }));
  expect([response.status, response.headers.get("content-disposition")]).toEqual([200, "attachment; a"]);
});

it("stores an object with what it signed", async () => {
  const headers = { "content-type": "text/x-a", "x-amz-meta-b": "c" };
  const url = presigned({ method: "PUT", path: "stored", headers });
  expect(await outcome(url, { method: "PUT", body: "new", headers })).toEqual([200, ""]);
  const found = await s3.send(new GetObjectCommand({ Bucket, Key: "stored" }));
  expect([await found.Body?.transformToString(), found.ContentType, found.Metadata]).toEqual([
    "new",
    "text/x-a",
    { b: "c" },
  ]);
  for (const changed of [{ "content-type": "text/html" }, { ...headers, "x-amz-meta-d": "e" }]) {
    expect(await outcome(url, { method: "PUT", body: "evil", headers: changed })).toEqual([
      403,
      "SignatureDoesNotMatch",
    ]);
  }
});

it.each<{ what: string; url: () => string; init?: RequestInit; code?: string }>([
  { what: "with another method", url: presigned, init: { method: "DELETE" } },
  { what: "with another key", url: () => presigned().replace("%C3%BC%201", "other") },
  { what: "with a later time", url: () => presigned().replace(/Expires=1/, "Expires=2") },
  { what: "with an override that is not signed", url: () => `${presigned()}&response-expires=x` },
  { what: "with a version that is not signed", url: () => `${presigned()}&versionId=null` },
  { what: "with a parameter that cannot be signed", url: () => `${presigned()}&attributes`, code: "AccessDenied" },
  { what: "with a parameter twice", url: () => `${presigned()}&EXPIRES=1`, code: "AccessDenied" },
  {
    what: "with an Authorization header too",
    url: presigned,
    init: { headers: { authorization: "Bearer a" } },
    code: "AccessDenied",
  },
  { what: "without a time", url: () => presigned().replace(/&Expires=\d+/, ""), code: "AccessDenied" },
  { what: "after its time", url: () => presigned({ expiresIn: -2 }), code: "AccessDenied" },
  { what: "for more than seven days", url: () => presigned({ expiresIn: 604_860 }), code: "AccessDenied" },
  {
    what: "of no key",
    url: () => presigned().replace(/AWSAccessKeyId=\w+/, "AWSAccessKeyId=AKIA"),
    code: "InvalidAccessKeyId",
  },
])("is refused $what", async ({ url, init, code = "SignatureDoesNotMatch" }) => {
  expect(await outcome(url(), init)).toEqual([403, code]);
});
