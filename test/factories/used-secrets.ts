import { createHmac } from "node:crypto";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect } from "vitest";
import { answers, type ChatScript, type ChatUpstream, chunksOf, fails } from "./chat-upstream";

/** A request to svc and its answer, which is searched later unless it is `shown`: one that may have a secret. */
export type Caller = (
  method: string,
  where: string,
  sent?: { body?: unknown; raw?: string; headers?: Record<string, string>; isShown?: boolean },
) => Promise<{ status: number; text: string }>;

interface Shown {
  access_key_id: string;
  secret_access_key: string;
}

/**
 * Stores and reads objects with S3 credentials and presigned URLs, rightly and wrongly. Returns what may occur nowhere:
 * the secrets and the signatures of the URLs.
 */
export async function useObjects(call: Caller, { url, bucket }: { url: string; bucket: string }): Promise<string[]> {
  const [asked, headers] = [{ isShown: true }, { authorization: "" }];
  expect((await call("POST", "/v1/storage/buckets", { body: { name: bucket } })).status).toBe(201);
  const [first, second] = [
    await call("POST", "/v1/storage/credentials", { body: {}, ...asked }),
    await call("POST", "/v1/storage/credentials", { body: {}, ...asked }),
  ].map(({ text }) => JSON.parse(text) as Shown);
  if (!first || !second) throw new Error("no credentials");
  const clientOf = ({ access_key_id, secret_access_key }: Shown) =>
    new S3Client({
      endpoint: `${url}/v1/s3`,
      region: "us-east-1",
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    });
  const [s3, forged] = [clientOf(first), clientOf({ ...first, secret_access_key: second.secret_access_key })];
  const object = { Bucket: bucket, Key: "folder/object" };
  await s3.send(new PutObjectCommand({ ...object, Body: "content" }));
  await expect(forged.send(new GetObjectCommand(object))).rejects.toThrow();

  const presigned: string[] = [];
  for (const operation of ["put_object", "get_object"]) {
    const body = { bucket, key: object.Key, operation };
    presigned.push(JSON.parse((await call("POST", "/v1/storage/presign", { body, ...asked })).text).url);
  }
  const old = { expiresIn: 1, signingDate: new Date(Date.now() - 3_600_000) };
  const expired = await getSignedUrl(s3, new GetObjectCommand(object), old);
  const wrong = await getSignedUrl(forged, new GetObjectCommand(object));
  const at = (full: string | undefined) => (full ?? "").slice(url.length);
  const signed = [...presigned, expired, wrong].map((full) => new URL(full).searchParams.get("X-Amz-Signature") ?? "");
  const v2 = presignedV2(first, `/${bucket}/${object.Key}`);
  const statuses = [
    await call("PUT", at(presigned[0]), { raw: "content", headers: { ...headers, "content-type": "" } }),
    await call("GET", at(presigned[1]), { headers }),
    await call("GET", at(presigned[1]).replace("folder/object", "folder/other"), { headers }),
    await call("GET", at(presigned[1]).replace("/v1/s3/", "/v1/s4/"), { headers }),
    await call("GET", at(presigned[1]).replace("/v1/s3/", "/nowhere/"), { headers }),
    await call("GET", `${at(presigned[1])}&X-Amz-Signature=${signed[0]}`, { headers }),
    await call("DELETE", at(presigned[1]), { headers }),
    await call("GET", at(expired), { headers }),
    await call("GET", at(wrong), { headers }),
    await call("GET", v2.at, { headers: { ...headers, "content-type": "" } }),
    await call("DELETE", v2.at, { headers }),
    await call("GET", "/v1/storage/buckets", { headers: { authorization: `Bearer ${first.secret_access_key}` } }),
    await call("GET", `/v1/s3/${bucket}`, { headers: { authorization: `AWS ${first.secret_access_key}` } }),
  ].map(({ status }) => status);
  // What is signed for S3 at another path names another bucket.
  expect(statuses).toEqual([200, 200, 403, 403, 403, 400, 403, 403, 403, 200, 403, 401, 400]);
  return [first.secret_access_key, second.secret_access_key, ...signed, v2.signature, encodeURIComponent(v2.signature)];
}

/** A URL to read an object, with a signature of Version 2. */
function presignedV2({ access_key_id, secret_access_key }: Shown, resource: string) {
  const expires = String(Math.floor(Date.now() / 1000) + 600);
  const signature = createHmac("sha1", secret_access_key).update(`GET\n\n\n${expires}\n${resource}`).digest("base64");
  const query = new URLSearchParams({ AWSAccessKeyId: access_key_id, Signature: signature, Expires: expires });
  return { at: `/v1/s3${resource}?${query}`, signature };
}

/** An answer whose text shows the key, in a stream divided between its events. */
const says =
  (text: string): ChatScript =>
  (received, response) => {
    if (!received.body.stream) return answers({ text })(received, response);
    const [role = "", word = "", last = ""] = chunksOf("word");
    const words = (text.match(/.{1,5}/g) ?? []).map((part) => word.replace('"word"', () => JSON.stringify(part)));
    response.writeHead(200, { "content-type": "text/event-stream", "x-key": text });
    response.end([`: ${text}\n\n`, role, ...words, last, "data: [DONE]\n\n"].join(""));
  };

/** What an upstream does with the header that has its key, by the last message of the request. */
const ECHOES: Record<string, (key: string) => ChatScript> = {
  answer: () => answers(),
  "answer with the key": says,
  "answer with the key in base64": (key) => says(Buffer.from(key).toString("base64")),
  "break off with the key": (key) => (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(chunksOf(key)[1] ?? "");
    response.end(`data: ${JSON.stringify({ error: { message: key } })}\n\n`);
  },
  "be no HTTP": (key) => (_, response) => void response.socket?.end(`${key}\r\n\r\n`),
  "refuse the key": (key) => fails(401, { message: `Incorrect API key: ${key}` }, { "www-authenticate": key }),
  "refuse the request": (key) => fails(400, { message: `${key} is wrong`, param: key, code: key }, { "x-key": key }),
  "say no JSON": (key) => (_, response) => void response.writeHead(500).end(`<h1>${key}</h1>`),
};

/** Asks an upstream, whose key is a secret, in every way in which it shows its key. */
export async function useUpstream(
  call: Caller,
  { upstream, secret }: { upstream: ChatUpstream; secret: string },
): Promise<void> {
  upstream.script((received, response) => {
    const { content = "" } = (received.body.messages as { content: string }[]).at(-1) ?? {};
    return ECHOES[content]?.(received.headers.authorization ?? "")(received, response);
  });
  const settings = { stores_bodies: true, cache_seconds: 60 };
  expect((await call("PATCH", "/v1/gateway/settings", { body: settings })).status).toBe(200);
  const add = async (model: string, kind = "chat") => {
    const fields = { name: model, base_url: upstream.url, api_key: { secret }, models: [{ name: model, kind }] };
    expect((await call("POST", "/v1/gateway/upstreams", { body: fields })).status).toBe(201);
    return model;
  };
  let count = 0;
  for (const content of Object.keys(ECHOES)) {
    for (const stream of [false, true]) {
      // One that fails is left alone for a while.
      const model = await add(`leak-${++count}`);
      const body = { model, stream, messages: [{ role: "user", content }] };
      await call("POST", "/v1/chat/completions", { body });
      // The same from the cache, as far as it keeps it.
      await call("POST", "/v1/chat/completions", { body });
    }
  }
  upstream.script(({ headers: { authorization } }, response) => {
    response.end(JSON.stringify({ object: "list", data: [], model: authorization }));
  });
  const model = await add("leak-vectors", "embeddings");
  const embedded = await call("POST", "/v1/embeddings", { body: { model, input: "x" } });
  expect([embedded.status, JSON.parse(embedded.text).model]).toEqual([200, "Bearer [redacted]"]);
  const asked = upstream.requests.map(({ headers }) => headers.authorization ?? "");
  expect(asked.length).toBeGreaterThan(count);
  expect(new Set(asked).size).toBe(1);
  const listed = () => call("GET", "/v1/gateway/requests?limit=100");
  await expect.poll(async () => JSON.parse((await listed()).text).data.length).toBe(2 * count + 1);
  const { data } = JSON.parse((await listed()).text) as { data: { id: string }[] };
  for (const { id } of data) await call("GET", `/v1/gateway/requests/${id}`);
  await call("GET", "/v1/gateway/upstreams");
}
