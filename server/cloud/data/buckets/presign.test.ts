import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, it } from "vitest";
import { percentEncoded, presignUrl } from "./presign";

const CREDENTIAL = { accessKeyId: "svck01jd0z3k5q8v6w2x4y7a9b1c3d4f0a91c2mfrggzdf", secretAccessKey: "s3cret-_s3cret" };
const AT = new Date("2026-11-20T09:00:59.999Z");

const client = (endpoint: string) =>
  new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: CREDENTIAL,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });

const urlOf = (endpoint: string, key: string) =>
  `${endpoint}/acme-uploads/${key.split("/").map(percentEncoded).join("/")}`;
const common = { credential: CREDENTIAL, region: "us-east-1", at: AT };
const KEYS = ["a", "invoices/2026/0042.pdf", "größe/日本 (1)!'*.txt", "100%2F?#&=+~_-", "a//b/"];

describe.each(["https://svc.example/v1/s3", "http://localhost:3000/v1/s3"])("a URL at %s", (endpoint) => {
  it.each(KEYS)("to download %s is the one of the AWS SDK", async (key) => {
    const command = new GetObjectCommand({
      Bucket: "acme-uploads",
      Key: key,
      VersionId: "01jd-x_y.z",
      ResponseContentDisposition: 'attachment; filename="a (b)!.pdf"',
    });
    const theirs = await getSignedUrl(client(endpoint), command, { expiresIn: 604_800, signingDate: AT });
    const query = {
      "x-id": "GetObject",
      versionId: "01jd-x_y.z",
      "response-content-disposition": 'attachment; filename="a (b)!.pdf"',
    };
    const url = urlOf(endpoint, key);
    expect(presignUrl({ ...common, method: "GET", url, query, expiresSeconds: 604_800 })).toBe(theirs);
  });

  it.each(KEYS)("to upload %s is the one of the AWS SDK, with the signed type and length", async (key) => {
    const fields = { ContentType: "text/plain;  charset=utf-8", ContentLength: 42 };
    const command = new PutObjectCommand({ Bucket: "acme-uploads", Key: key, ...fields });
    const signableHeaders = new Set(["content-type", "content-length", "host"]);
    const options = { expiresIn: 60, signingDate: AT, signableHeaders };
    const theirs = await getSignedUrl(client(endpoint), command, options);
    const headers = { "content-type": fields.ContentType, "content-length": "42" };
    const query = { "x-id": "PutObject" };
    const url = urlOf(endpoint, key);
    expect(presignUrl({ ...common, method: "PUT", url, query, headers, expiresSeconds: 60 })).toBe(theirs);
  });
});
