import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ResponseError } from "../../response-error";
import { md5OfRange, multipartEtag, PART_BYTES, partBytesOf } from "../../s3/etags";
import {
  completeUpload,
  createUpload,
  listParts,
  listUploads,
  type Part,
  type Upload,
  uploadPart,
} from "../../s3/multipart";
import { headObject, mtimeHeader, type ObjectName, unquoted } from "../../s3/objects";
import { forEachParallel } from "./slots";
import type { Store } from "./store";
import type { Meter } from "./transfer";

/** More memory than this is not used for the parts of one file. */
const PARTS_MEMORY_BYTES = 256 * 1024 * 1024;
/** How many unfinished uploads of a key are compared with the file. */
const CANDIDATES_MAX = 5;

export interface FileUpload {
  file: string;
  to: ObjectName;
  contentType: string;
}

/** Uploads a file, from 16 MiB on in parts; continues an earlier upload of the same bytes. Resolves with the ETag. */
export async function uploadFile(store: Store, ask: FileUpload, meter: Meter): Promise<string> {
  const handle = await open(ask.file, "r");
  try {
    const facts = await handle.stat();
    const source = { ...ask, handle, facts };
    if (facts.size < PART_BYTES) return await store.slots.run(() => putWhole(store, source, meter));
    return await uploadParts(store, source, meter).catch((failure: unknown) => {
      // Another process may have completed or aborted the upload that was continued.
      if (!(failure instanceof ResponseError && failure.code === "NoSuchUpload")) throw failure;
      meter.restart();
      return uploadParts(store, { ...source, isNew: true }, meter);
    });
  } finally {
    await handle.close();
  }
}

interface Source extends FileUpload {
  handle: FileHandle;
  facts: Stats;
  /** Earlier uploads are ignored. */
  isNew?: boolean;
}

const headersOf = ({ contentType, facts }: Source): Record<string, string> => ({
  "content-type": contentType,
  ...mtimeHeader(facts.mtimeMs),
});

async function putWhole({ client, signal }: Store, source: Source, meter: Meter): Promise<string> {
  const body = await readRange(source.handle, { start: 0, end: source.facts.size });
  await assertUnchanged(source);
  const hash = createHash("md5").update(body).digest();
  const headers = { ...headersOf(source), "content-md5": hash.toString("base64") };
  const sent = await client.headers({ method: "PUT", ...source.to, headers, body, signal, onSent: meter.add });
  return unquoted(sent.get("etag"));
}

async function uploadParts(store: Store, source: Source, meter: Meter): Promise<string> {
  const { client, slots, signal } = store;
  const { handle, to, facts } = source;
  const found = source.isNew ? undefined : await findUpload(store, source);
  const upload = found?.upload ?? (await createUpload(client, to, { headers: headersOf(source), signal }));
  const parts = found?.parts ?? new Map<number, string>();
  const ranges = rangesOf(facts.size);
  for (const { number, start, end } of ranges) if (parts.has(number)) meter.skip(end - start);
  const left = ranges.filter(({ number }) => !parts.has(number));
  const partBytes = partBytesOf(facts.size);
  const parallel = Math.max(1, Math.min(store.parallel, Math.floor(PARTS_MEMORY_BYTES / partBytes)));
  await forEachParallel(left, parallel, async ({ number, start, end }) => {
    const etag = await slots.run(async () => {
      signal.throwIfAborted();
      const body = await readRange(handle, { start, end });
      return uploadPart(client, { ...upload, number }, { body, signal, onSent: meter.add });
    });
    parts.set(number, etag);
  });
  await assertUnchanged(source);
  return complete(
    store,
    upload,
    ranges.map(({ number }) => ({ number, etag: parts.get(number) ?? "" })),
  );
}

/** If the response to an earlier attempt was lost, the upload no longer exists, and the object has its ETag. */
async function complete({ client, signal }: Store, upload: Upload, parts: readonly Part[]): Promise<string> {
  const expected = multipartEtag(parts.map(({ etag }) => etag));
  try {
    return await completeUpload(client, upload, { parts, signal });
  } catch (failure) {
    if (!(failure instanceof ResponseError && failure.code === "NoSuchUpload")) throw failure;
    const { etag } = await headObject(client, upload, signal).catch(() => ({ etag: "" }));
    if (etag !== expected) throw failure;
    return etag;
  }
}

/** An unfinished upload that has only parts of the file as it is now. */
async function findUpload({ client, signal }: Store, { to, handle, facts }: Source) {
  const uploads = await listUploads(client, to, signal);
  const ranges = new Map(rangesOf(facts.size).map((range) => [range.number, range]));
  for (const upload of uploads.slice(0, CANDIDATES_MAX)) {
    const parts = await listParts(client, upload, signal);
    if (parts.length === 0) continue;
    const own = new Map<number, string>();
    for (const { number, size, etag } of parts) {
      const range = ranges.get(number);
      signal.throwIfAborted();
      if (!range || range.end - range.start !== size) break;
      if ((await md5OfRange(handle, range)).toString("hex") !== etag) break;
      own.set(number, etag);
    }
    if (own.size === parts.length) return { upload, parts: own };
  }
  return undefined;
}

interface Range {
  start: number;
  /** Excluded. */
  end: number;
}

function rangesOf(size: number): (Range & { number: number })[] {
  const bytes = partBytesOf(size);
  return Array.from({ length: Math.ceil(size / bytes) }, (_, at) => ({
    number: at + 1,
    start: at * bytes,
    end: Math.min(size, (at + 1) * bytes),
  }));
}

async function readRange(handle: FileHandle, { start, end }: Range): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let at = 0; at < bytes.byteLength; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.byteLength - at, start + at);
    if (bytesRead === 0) throw new Error("The file became shorter while it was read.");
    at += bytesRead;
  }
  return bytes;
}

/** An object must not be half of the old file and half of the new one. */
async function assertUnchanged({ handle, facts }: Source): Promise<void> {
  const { size, mtimeMs } = await handle.stat();
  if (size !== facts.size || mtimeMs !== facts.mtimeMs) throw new Error("The file changed while it was read.");
}
