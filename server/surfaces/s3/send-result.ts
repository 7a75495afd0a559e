import type { IncomingMessage, ServerResponse } from "node:http";
import type { S3Result } from "./s3-call";
import type { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { plainXmlDocument, tag } from "./write-xml";

/** How long a client may read nothing of a response. */
const STALLED_MS = 120_000;
const XML = "application/xml";

/** Sends a result; resolves when its last byte is written or the client has gone. Throws what reading an object throws. */
export async function sendResult(
  outgoing: ServerResponse,
  result: S3Result,
  common: Record<string, string>,
): Promise<void> {
  const { status = 200, headers = {}, body } = result;
  const isHead = outgoing.req.method === "HEAD";
  if (body === undefined || typeof body === "string") {
    const text = body ?? "";
    const all = {
      ...(text !== "" && { "content-type": XML }),
      "cache-control": "no-store",
      ...headers,
      ...common,
      ...(!hasNoLength(status) && { "content-length": Buffer.byteLength(text) }),
    };
    outgoing.writeHead(status, latin1(all)).end(isHead ? "" : text);
    return;
  }
  const all = latin1({ ...headers, ...common });
  if (isHead) return void outgoing.writeHead(status, all).end();
  await sendBytes(outgoing, body, () => outgoing.writeHead(status, all));
}

/** The error document of S3; HEAD has none. */
export function errorResult(error: S3Error, request: Pick<S3Request, "path"> | undefined, requestId: string): S3Result {
  const { headers = {}, elements = [] } = error.extras;
  const document = tag("Error", [
    tag("Code", error.code),
    tag("Message", error.message),
    tag("Resource", request?.path ?? ""),
    tag("RequestId", requestId),
    ...elements,
  ]);
  return { status: error.status, headers, body: plainXmlDocument(document) };
}

const hasNoLength = (status: number): boolean => status === 204 || status === 304;

/**
 * The first chunk is read before the headers are sent, so that an object that cannot be read is an error response. Then
 * each chunk is read while the one before is sent.
 */
async function sendBytes(outgoing: ServerResponse, body: AsyncIterable<Uint8Array>, begin: () => void): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    let next = await chunks.next();
    begin();
    while (!next.done) {
      if (outgoing.destroyed) return;
      const following = chunks.next();
      // A failure is thrown where it is awaited.
      following.catch(() => undefined);
      if (!outgoing.write(next.value)) await drained(outgoing);
      next = await following;
    }
    outgoing.end();
  } finally {
    await chunks.return?.();
  }
}

/** Resolves when more can be written, or the client has gone; one that reads nothing is disconnected. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => outgoing.destroy(), STALLED_MS);
    const done = () => {
      clearTimeout(late);
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
    if (outgoing.destroyed) done();
  });
}

/** Node writes headers as Latin-1; clients read metadata as UTF-8. */
function latin1(headers: Record<string, string | number>): Record<string, string | number> {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string" && /[^\t\x20-\x7e]/.test(value)) {
      headers[name] = Buffer.from(value, "utf8").toString("latin1");
    }
  }
  return headers;
}

/** Whether the client ended the connection before its request or the response was complete. */
export const hasGone = (incoming: IncomingMessage, outgoing: ServerResponse): boolean =>
  (incoming.destroyed && !incoming.complete) || (outgoing.destroyed && !outgoing.writableFinished);
