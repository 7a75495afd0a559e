import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Server, s3Tenant } from "../factories/s3";

const Bucket = "header-v2";
const server = await openForFile(s3Server());
const { credentials } = await (await s3Tenant(server)).key();
const root = new URL(server.url).origin;

interface Sent {
  headers?: Record<string, string>;
  body?: string;
  /** The path that is signed, if it is another than that of the request. */
  signedPath?: string;
  url?: string;
  secret?: string;
}

/** Sends a request as clients of Signature Version 2 do, and returns its status and its code or body. */
async function send(method: string, path: string, { headers = {}, body, signedPath = path, ...rest }: Sent = {}) {
  const { url = server.url, secret = credentials.secretAccessKey } = rest;
  const date = new Date(server.test.clock.now()).toUTCString();
  const amz = Object.entries({ "x-amz-date": date, ...headers }).filter(([name]) => name.startsWith("x-amz-"));
  const lines = amz.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}:${value}\n`);
  const text = [method, "", headers["content-type"] ?? "", "", lines.join("") + signedPath].join("\n");
  const signature = createHmac("sha1", secret).update(text).digest("base64");
  const authorization = `AWS ${credentials.accessKeyId}:${signature}`;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "x-amz-date": date, ...headers, authorization },
    ...(body !== undefined && { body }),
  });
  const answer = await response.text();
  return [response.status, /<Code>(.*?)<\/Code>/.exec(answer)?.[1] ?? answer] as const;
}

it("creates, writes, reads, lists and deletes, below /v1/s3 and at the root of the address", async () => {
  // A bucket is signed with and without the slash behind it.
  expect((await send("PUT", `/${Bucket}`, { signedPath: `/${Bucket}/` }))[0]).toBe(200);
  const plain = { "content-type": "text/plain", "x-amz-meta-color": "red" };
  expect((await send("PUT", `/${Bucket}/a`, { headers: plain, body: "one" }))[0]).toBe(200);
  expect((await send("PUT", `/${Bucket}/b`, { headers: plain, body: "two", url: root }))[0]).toBe(200);
  expect(await send("GET", `/${Bucket}/b`)).toEqual([200, "two"]);
  expect(await send("GET", `/${Bucket}/a`, { url: root })).toEqual([200, "one"]);
  const [status, listed] = await send("GET", `/${Bucket}?prefix=a&max-keys=5`, { signedPath: `/${Bucket}` });
  expect([status, [...listed.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)]).toEqual([200, ["a"]]);
  expect((await send("DELETE", `/${Bucket}/a`))[0]).toBe(204);
  expect((await send("GET", `/${Bucket}/a`))[1]).toBe("NoSuchKey");
});

it("refuses what was signed with another secret, for another path, or without protection", async () => {
  expect(await send("GET", `/${Bucket}/b`, { secret: "other" })).toEqual([403, "SignatureDoesNotMatch"]);
  expect(await send("GET", `/${Bucket}/b`, { signedPath: `/${Bucket}/a` })).toEqual([403, "SignatureDoesNotMatch"]);
  expect(await send("PUT", `/${Bucket}?encryption`, { signedPath: `/${Bucket}` })).toEqual([403, "AccessDenied"]);
  expect(await send("GET", `/${Bucket}/b`, { headers: { "x-amz-date": "Tue, 27 Mar 2007 19:36:42 GMT" } })).toEqual([
    403,
    "RequestTimeTooSkewed",
  ]);
});

it("is of the type REST-HEADER for policies", async () => {
  const denied = { Effect: "Deny", Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${Bucket}/*` };
  const policyAgainst = (type: string) =>
    JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ ...denied, Condition: { StringEquals: { "s3:authType": type } } }],
    });
  const headers = { "content-type": "application/json" };
  const put = (type: string) => send("PUT", `/${Bucket}?policy`, { headers, body: policyAgainst(type) });
  expect((await put("REST-QUERY-STRING"))[0]).toBe(204);
  expect(await send("GET", `/${Bucket}/b`)).toEqual([200, "two"]);
  expect((await put("REST-HEADER"))[0]).toBe(204);
  expect(await send("GET", `/${Bucket}/b`)).toEqual([403, "AccessDenied"]);
  expect((await send("DELETE", `/${Bucket}?policy`))[0]).toBe(204);
});

it("has the scopes of the key", async () => {
  const reader = await (await s3Tenant(server)).key({ scopes: ["storage:read"] });
  const own = { ...credentials };
  Object.assign(credentials, reader.credentials);
  expect(await send("PUT", "/header-v2-other")).toEqual([403, "AccessDenied"]);
  Object.assign(credentials, own);
});
