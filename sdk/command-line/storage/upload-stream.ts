import { md5, PART_BYTES } from "../../s3/etags";
import { abortUpload, completeUpload, createUpload, type Part, uploadPart } from "../../s3/multipart";
import { type ObjectName, unquoted } from "../../s3/objects";
import type { Store } from "./store";
import type { Meter } from "./transfer";

/** Uploads a stream of unknown length; it cannot be resumed, so that a failure aborts it. Resolves with the ETag. */
export async function uploadStream(
  { client, signal }: Store,
  { input, to, contentType }: { input: ReadableStream<Uint8Array>; to: ObjectName; contentType: string },
  meter: Meter,
): Promise<string> {
  const headers = { "content-type": contentType };
  const parts = partsOf(input, signal);
  const first = await parts.next();
  const body = first.value ?? new Uint8Array();
  if (body.byteLength < PART_BYTES) {
    const hash = { "content-md5": md5(body).toString("base64") };
    const request = { method: "PUT" as const, ...to, body, signal, onSent: meter.add };
    return unquoted((await client.headers({ ...request, headers: { ...headers, ...hash } })).get("etag"));
  }
  const upload = await createUpload(client, to, { headers, signal });
  try {
    const sent: Part[] = [];
    for (let next: Uint8Array | undefined = body; next; next = (await parts.next()).value ?? undefined) {
      const number = sent.length + 1;
      const etag = await uploadPart(client, { ...upload, number }, { body: next, signal, onSent: meter.add });
      sent.push({ number, etag });
    }
    return await completeUpload(client, upload, { parts: sent, signal });
  } catch (failure) {
    await abortUpload(client, upload).catch(() => undefined);
    throw failure;
  }
}

/** A stream in parts of the same size; the last one may be shorter. */
async function* partsOf(input: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  const reader = input.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (let at = 0; at < read.value.byteLength; ) {
        const piece = read.value.subarray(at, at + PART_BYTES - filled);
        part.set(piece, filled);
        filled += piece.byteLength;
        at += piece.byteLength;
        if (filled < PART_BYTES) continue;
        yield part;
        part = Buffer.allocUnsafe(PART_BYTES);
        filled = 0;
      }
    }
    signal.throwIfAborted();
    if (filled > 0) yield part.subarray(0, filled);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return undefined;
}
