import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StoredObject {
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
  lastModified: string;
}

interface StoredFacts {
  headers?: Record<string, string>;
  etag?: string;
}

interface OpenUpload {
  key: string;
  parts: Map<number, Buffer>;
  headers: Record<string, string>;
  initiated: string;
}

const md5 = (bytes: Buffer): string => createHash("md5").update(bytes).digest("hex");
const escapeText = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  key: string;
  query: URLSearchParams;
  body: Buffer;
}

/** A svc with one bucket, `box`: credentials, presigned URLs and as much of S3 as the command line uses. */
export async function objectServer() {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, OpenUpload>();
  const state = {
    objects,
    uploads,
    pageKeys: 1000,
    requests: [] as string[],
    credentials: 0,
    presigned: [] as unknown[],
    /** Called before a request is processed; a returned response ends it. */
    intercept: undefined as ((line: string, call: Call) => boolean | Promise<boolean>) | undefined,
  };
  const store = (key: string, body: Buffer, { headers = {}, etag = md5(body) }: StoredFacts = {}): StoredObject => {
    const stored = { body, etag, headers, lastModified: new Date().toISOString() };
    objects.set(key, stored);
    return stored;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://svc");
    const [, , , bucket = "", ...rest] = pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const call = { request, response, key, query, body: Buffer.concat(chunks) };
    const line = `${request.method} ${pathname.replace("/v1/s3", "")}${[...query.keys()].length > 0 ? `?${[...query.keys()].join("&")}` : ""}`;
    state.requests.push(line);
    if (await state.intercept?.(line, call)) return;
    if (pathname === "/v1/storage/credentials") {
      state.credentials++;
      return json(response, {
        access_key_id: "AKID",
        secret_access_key: "very-secret",
        region: "us-east-1",
        force_path_style: true,
        endpoint: `${url}/v1/s3`,
        expires_at: null,
      });
    }
    if (pathname === "/v1/storage/presign") {
      const asked = JSON.parse(call.body.toString());
      state.presigned.push(asked);
      const headers = asked.content_type ? { "Content-Type": asked.content_type } : {};
      return json(response, { url: `${url}/signed`, method: "PUT", headers, expires_at: "2027-01-01T00:00:00.000Z" });
    }
    if (!/^AWS4-HMAC-SHA256 Credential=AKID\//.test(request.headers.authorization ?? ""))
      return fail(call, 403, "AccessDenied");
    if (bucket === "")
      return xml(
        response,
        "<ListAllMyBucketsResult><Buckets><Bucket><Name>box</Name><CreationDate>2027-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>",
      );
    if (bucket !== "box") return fail(call, 404, "NoSuchBucket");
    return key === "" ? onBucket(call) : onObject(call);
  });

  function onBucket(call: Call): unknown {
    const { request, response, query, body } = call;
    const prefix = query.get("prefix") ?? "";
    if (request.method === "POST" && query.has("delete")) {
      if (request.headers["content-md5"] !== createHash("md5").update(body).digest("base64"))
        return fail(call, 400, "BadDigest");
      for (const [, name = ""] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
        objects.delete(name.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&"));
      return xml(response, "<DeleteResult/>");
    }
    if (query.has("uploads")) {
      const found = [...uploads].filter(([, one]) => one.key.startsWith(prefix));
      const rows = found.map(
        ([id, one]) =>
          `<Upload><Key>${escapeText(one.key)}</Key><UploadId>${id}</UploadId><Initiated>${one.initiated}</Initiated></Upload>`,
      );
      return xml(response, `<ListMultipartUploadsResult>${rows.join("")}</ListMultipartUploadsResult>`);
    }
    const delimiter = query.get("delimiter");
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
    const start = Number(query.get("continuation-token") ?? 0);
    const page = names.slice(start, start + state.pageKeys);
    const folderOf = (name: string): string | undefined => {
      const at = delimiter ? name.indexOf(delimiter, prefix.length) : -1;
      return at === -1 ? undefined : name.slice(0, at + 1);
    };
    const rows = page
      .filter((name) => folderOf(name) === undefined)
      .map((name) => {
        const { body: bytes, etag, lastModified } = objects.get(name) as StoredObject;
        return `<Contents><Key>${encodeURIComponent(name)}</Key><LastModified>${lastModified}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${bytes.length}</Size></Contents>`;
      });
    const folders = [...new Set(page.map(folderOf).filter((one) => one !== undefined))];
    const next = start + state.pageKeys;
    const more = next < names.length;
    return xml(
      response,
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${next}</NextContinuationToken>` : ""}${rows.join("")}${folders.map((one) => `<CommonPrefixes><Prefix>${encodeURIComponent(one)}</Prefix></CommonPrefixes>`).join("")}</ListBucketResult>`,
    );
  }

  function onObject(call: Call): unknown {
    const { request, response, key, query, body } = call;
    const uploadId = query.get("uploadId") ?? "";
    const upload = uploads.get(uploadId);
    if (query.has("uploads") && request.method === "POST") {
      const id = randomUUID();
      uploads.set(id, { key, parts: new Map(), headers: kept(request), initiated: new Date().toISOString() });
      return xml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (uploadId !== "" && !upload) return fail(call, 404, "NoSuchUpload");
    if (upload && request.method === "PUT") {
      if (Buffer.from(md5(body), "hex").toString("base64") !== request.headers["content-md5"])
        return fail(call, 400, "BadDigest");
      upload.parts.set(Number(query.get("partNumber")), body);
      return void response.writeHead(200, { etag: `"${md5(body)}"` }).end();
    }
    if (upload && request.method === "GET") {
      const parts = [...upload.parts].sort(([a], [b]) => a - b);
      const rows = parts.map(
        ([number, bytes]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>"${md5(bytes)}"</ETag><Size>${bytes.length}</Size></Part>`,
      );
      return xml(response, `<ListPartsResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListPartsResult>`);
    }
    if (upload && request.method === "DELETE") {
      uploads.delete(uploadId);
      return void response.writeHead(204).end();
    }
    if (upload) {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
      const hashes = Buffer.concat(parts.map((bytes) => createHash("md5").update(bytes).digest()));
      uploads.delete(uploadId);
      const { etag } = store(key, Buffer.concat(parts), {
        headers: upload.headers,
        etag: `${md5(hashes)}-${parts.length}`,
      });
      return xml(response, `<CompleteMultipartUploadResult><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`);
    }
    if (request.method === "PUT") return put(call);
    return get(call);
  }

  function put(call: Call): unknown {
    const { request, response, key, body } = call;
    const source = request.headers["x-amz-copy-source"];
    if (typeof source === "string") {
      const from = objects.get(decodeURIComponent(source).replace(/^\/?box\//, ""));
      if (!from) return fail(call, 404, "NoSuchKey");
      store(key, from.body, from);
      return xml(response, `<CopyObjectResult><ETag>"${from.etag}"</ETag></CopyObjectResult>`);
    }
    if (Buffer.from(md5(body), "hex").toString("base64") !== request.headers["content-md5"])
      return fail(call, 400, "BadDigest");
    const { etag } = store(key, body, { headers: kept(request) });
    response.writeHead(200, { etag: `"${etag}"` }).end();
  }

  function get(call: Call): unknown {
    const { request, response, key } = call;
    const found = objects.get(key);
    if (!found) return fail(call, 404, "NoSuchKey");
    const { body, etag, headers } = found;
    if (request.headers["if-match"] && request.headers["if-match"] !== `"${etag}"`)
      return fail(call, 412, "PreconditionFailed");
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const sent = body.subarray(start);
    const facts = { ...headers, etag: `"${etag}"`, "content-length": String(sent.length) };
    const range = { "content-range": `bytes ${start}-${body.length - 1}/${body.length}` };
    response.writeHead(start > 0 ? 206 : 200, start > 0 ? { ...facts, ...range } : facts);
    response.end(request.method === "HEAD" ? undefined : sent);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, state, store, close: () => server.close().closeAllConnections() };
}

/** What is stored of an upload's headers. */
function kept({ headers }: IncomingMessage): Record<string, string> {
  const names = Object.keys(headers).filter((name) => name === "content-type" || name.startsWith("x-amz-meta-"));
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
const xml = (response: ServerResponse, body: string): void =>
  void response.writeHead(200, { "content-type": "application/xml" }).end(body);

/** An error as S3 sends it. */
export function fail({ request, response }: Call, status: number, code: string): void {
  const body = `<Error><Code>${code}</Code><Message>It is ${code}.</Message></Error>`;
  response.writeHead(status, { "content-type": "application/xml", "x-request-id": "req_1" });
  response.end(request.method === "HEAD" ? undefined : body);
}
