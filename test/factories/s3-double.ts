import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Settings } from "../../server/engines/objects/s3-client";

interface HttpResult {
  status: number;
  body?: Buffer | string;
  headers?: Record<string, string>;
}

interface Upload {
  key: string;
  startedAt: Date;
  parts: Map<number, Buffer>;
}

/** What the double does instead of answering the next requests with this method. */
export type Fault = { method: string; times: number } & (
  | { kind: "status"; status: number; code: string }
  | { kind: "reset" }
  | { kind: "silence" }
  /** Sends this many bytes of the body and then nothing, or closes the connection. */
  | { kind: "cut" | "stall"; bytes: number }
);

/** A store in memory with the part of S3's API that the external engine uses; signatures are not checked. */
export async function startS3Double() {
  const objects = new Map<string, { bytes: Buffer; at: Date }>();
  const uploads = new Map<string, Upload>();
  const requests: string[] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const fault = faults.find(({ method, times }) => method === request.method && times > 0);
    if (fault) fault.times--;
    void serve(request, response, { fault, objects, uploads }).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    bucket: "blobs",
    forcePathStyle: true,
    accessKeyId: "test",
    secretAccessKey: "test-secret",
  };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { settings, objects, uploads, requests, faults, stop };
}

interface State {
  fault: Fault | undefined;
  objects: Map<string, { bytes: Buffer; at: Date }>;
  uploads: Map<string, Upload>;
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const { fault } = state;
  if (fault?.kind === "reset") return void request.socket.destroy();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (fault?.kind === "silence") return;
  const url = new URL(request.url ?? "/", "http://double");
  const key = decodeURIComponent(url.pathname.replace(/^\/blobs\/?/, ""));
  const asked = { method: request.method ?? "", key, query: url.searchParams, headers: request.headers };
  const answer: HttpResult =
    fault?.kind === "status"
      ? failed(fault.status, fault.code)
      : answerTo({ ...asked, body: Buffer.concat(chunks) }, state);
  const body = Buffer.from(answer.body ?? "");
  response.writeHead(answer.status, { "content-length": String(body.length), ...answer.headers });
  const isWhole = (fault?.kind !== "cut" && fault?.kind !== "stall") || fault.bytes >= body.length;
  if (isWhole) return void response.end(body);
  response.write(body.subarray(0, fault.bytes), () => {
    if (fault.kind === "cut") response.destroy();
  });
}

interface Asked {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

function answerTo(asked: Asked, state: State): HttpResult {
  const { method, key, query } = asked;
  if (method === "HEAD") return headed(key, state);
  if (method === "GET") return key === "" ? listed(query, state) : got(asked, state);
  if (method === "PUT") return put(asked, state);
  if (method === "POST" && query.has("delete")) return removed(asked, state);
  if (method === "POST" && query.has("uploads")) return started(key, state);
  if (method === "POST") return completed(asked, state);
  state.uploads.delete(query.get("uploadId") ?? "");
  return { status: 204 };
}

const etagOf = (bytes: Buffer): string => `"${createHash("md5").update(bytes).digest("hex")}"`;
const xml = (name: string, content: string): HttpResult => ({
  status: 200,
  body: `<?xml version="1.0"?><${name}>${content}</${name}>`,
});
const failed = (status: number, code: string): HttpResult => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const valuesOf = (text: string, name: string): string[] =>
  Array.from(text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g")), (match) => match[1] ?? "");

/** The bytes from a header `bytes=0-9`; undefined if there are none of them. */
function rangeOf(header: string | undefined, bytes: Buffer): Buffer | undefined {
  const [first, last] = (header?.replace("bytes=", "").split("-") ?? []).map(Number);
  if (first === undefined || last === undefined) return bytes;
  return first < bytes.length ? bytes.subarray(first, last + 1) : undefined;
}

/** Of the bucket, or of an object. */
function headed(key: string, { objects }: State): HttpResult {
  if (key === "") return { status: 200 };
  const object = objects.get(key);
  return object ? { status: 200, headers: { "content-length": String(object.bytes.length) } } : { status: 404 };
}

function got({ key, headers }: Asked, { objects }: State): HttpResult {
  const object = objects.get(key);
  if (!object) return failed(404, "NoSuchKey");
  const body = rangeOf(headers.range, object.bytes);
  return body ? { status: headers.range ? 206 : 200, body } : failed(416, "InvalidRange");
}

function put({ key, query, headers, body }: Asked, { objects, uploads }: State): HttpResult {
  const source = headers["x-amz-copy-source"];
  const from = source === undefined ? undefined : objects.get(String(source).replace(/^blobs\//, ""));
  if (source !== undefined && !from) return failed(404, "NoSuchKey");
  const range = headers["x-amz-copy-source-range"];
  const bytes = from ? (rangeOf(range === undefined ? undefined : String(range), from.bytes) ?? body) : body;
  const upload = uploads.get(query.get("uploadId") ?? "");
  if (upload) upload.parts.set(Number(query.get("partNumber")), bytes);
  else objects.set(key, { bytes, at: new Date() });
  const etag = etagOf(bytes);
  if (!from) return { status: 200, headers: { etag } };
  return xml(upload ? "CopyPartResult" : "CopyObjectResult", `<ETag>${etag}</ETag>`);
}

function removed({ body }: Asked, { objects }: State): HttpResult {
  const keys = valuesOf(body.toString(), "Key");
  if (keys.length > 1000) return failed(400, "MalformedXML");
  for (const key of keys) objects.delete(key);
  return xml("DeleteResult", "");
}

function started(key: string, { uploads }: State): HttpResult {
  const id = randomUUID();
  uploads.set(id, { key, startedAt: new Date(), parts: new Map() });
  return xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`);
}

function completed({ query, body }: Asked, { objects, uploads }: State): HttpResult {
  const id = query.get("uploadId") ?? "";
  const upload = uploads.get(id);
  if (!upload) return failed(404, "NoSuchUpload");
  const numbers = valuesOf(body.toString(), "PartNumber").map(Number);
  const parts = numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0));
  if (parts.slice(0, -1).some(({ length }) => length < 5 * 2 ** 20)) return failed(400, "EntityTooSmall");
  objects.set(upload.key, { bytes: Buffer.concat(parts), at: new Date() });
  uploads.delete(id);
  return xml("CompleteMultipartUploadResult", "");
}

function listed(query: URLSearchParams, { objects, uploads }: State): HttpResult {
  if (query.has("uploads")) {
    const entries = Array.from(
      uploads,
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    );
    return xml("ListMultipartUploadsResult", `<IsTruncated>false</IsTruncated>${entries.join("")}`);
  }
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key > after && key.startsWith(query.get("prefix") ?? "")).sort();
  // Pages are short, so that tests meet their ends.
  const page = keys.slice(0, 10);
  const entries = page.map(
    (key) => `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.at.toISOString()}</LastModified></Contents>`,
  );
  const isTruncated = keys.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return xml("ListBucketResult", `<IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join("")}`);
}
