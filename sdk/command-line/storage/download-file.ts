import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { ResponseError } from "../../response-error";
import { isMd5 } from "../../s3/etags";
import { headObject, headOf, type ObjectHead, type ObjectName } from "../../s3/objects";
import { makeFolders } from "./local-files";
import type { Store } from "./store";
import type { Meter } from "./transfer";

const { O_CREAT, O_NOFOLLOW = 0, O_RDWR, O_TRUNC } = constants;

export interface FileDownload {
  from: ObjectName;
  /** The ETag that the list showed, if the object was listed. */
  etag?: string | undefined;
  size: number;
  /** The folder that must not be left. */
  root: string;
  /** The path below it. */
  name: string;
}

/** The names of the files that keep an unfinished download. */
export const PART_SUFFIXES = [".part", ".part.etag"];

/**
 * Downloads an object into `<file>.part`, and gives it its name when it is complete. An earlier part of the same
 * version is continued. Resolves with the ETag.
 */
export async function downloadFile(store: Store, ask: FileDownload, meter: Meter): Promise<string> {
  await makeFolders(ask.root, ask.name);
  const file = path.join(ask.root, ...ask.name.split("/"));
  if (await isFolder(file)) throw new Error(`${file} is a folder.`);
  const head = ask.etag === undefined ? await headObject(store.client, ask.from, store.signal) : ask;
  const given = { size: head.size, etag: head.etag ?? "", from: ask.from };
  try {
    return await downloadTo(store, { ...given, file }, meter);
  } catch (failure) {
    if (!(failure instanceof ResponseError) || failure.status !== 412) throw failure;
    // The object was replaced.
    meter.restart();
    const { size, etag } = await headObject(store.client, ask.from, store.signal);
    return downloadTo(store, { from: ask.from, size, etag, file }, meter);
  }
}

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

interface Target {
  from: ObjectName;
  size: number;
  etag: string;
  file: string;
}

async function downloadTo(store: Store, target: Target, meter: Meter): Promise<string> {
  const part = `${target.file}.part`;
  const known = await readFile(`${part}.etag`, "utf8").catch(() => "");
  const isKnown = known === target.etag && target.etag !== "";
  // The ETag is stored first: without it a part is not continued.
  if (!isKnown) {
    await rm(part, { force: true });
    await writeFile(`${part}.etag`, target.etag);
  }
  const handle = await open(part, O_RDWR | O_CREAT | O_NOFOLLOW | (isKnown ? 0 : O_TRUNC), 0o666);
  let mtimeMs: number | undefined;
  try {
    ({ mtimeMs } = await fill(store, { ...target, handle }, meter));
  } catch (failure) {
    if (failure instanceof CorruptedError || (failure instanceof ResponseError && failure.status === 412)) {
      await rm(part, { force: true });
      await rm(`${part}.etag`, { force: true });
    }
    throw failure;
  } finally {
    await handle.close();
  }
  if (mtimeMs !== undefined) await utimes(part, new Date(), new Date(mtimeMs));
  await rename(part, target.file);
  await rm(`${part}.etag`, { force: true });
  return target.etag;
}

class CorruptedError extends Error {}

/** Writes what is missing to the part, and compares its MD5 with the ETag where that is one. */
async function fill(
  { client, signal, slots }: Store,
  { handle, from, size, etag }: Target & { handle: FileHandle },
  meter: Meter,
): Promise<{ mtimeMs: number | undefined }> {
  const hash = createHash("md5");
  let offset = await hashOwn(handle, { size, hash });
  meter.skip(offset);
  const read = async (response: Response): Promise<ObjectHead> => {
    if (offset > 0 && response.status !== 206) throw new Error("svc sent the whole object instead of the rest of it.");
    for await (const chunk of response.body ?? []) {
      await writeAll(handle, chunk, offset);
      hash.update(chunk);
      offset += chunk.byteLength;
      meter.add(chunk.byteLength);
    }
    if (offset < size) throw Object.assign(new Error("The response was incomplete."), { code: "ECONNRESET" });
    return headOf(response.headers);
  };
  const head =
    offset >= size && size > 0
      ? await headObject(client, from, signal)
      : await slots.run(() => client.send(() => getRequest({ from, etag, offset }, signal), read));
  const isWrong = offset !== size || (isMd5(etag) && hash.digest("hex") !== etag);
  if (isWrong) throw new CorruptedError("The bytes that arrived are not those of the object: its MD5 differs.");
  return head;
}

interface Get {
  from: ObjectName;
  etag: string;
  offset: number;
}

/** The rest of an object from an offset, if it still has the ETag. */
export const getRequest = ({ from, etag, offset }: Get, signal: AbortSignal) => ({
  method: "GET" as const,
  ...from,
  signal,
  // Otherwise fetch would decode an object that is stored compressed, and the bytes would not be those of the object.
  query: { "response-content-encoding": "identity" },
  headers: {
    ...(etag === "" ? {} : { "if-match": `"${etag}"` }),
    ...(offset > 0 ? { range: `bytes=${offset}-` } : {}),
  } as Record<string, string>,
});

/** Hashes what the part has already; what is too long is cut. Resolves with its length. */
async function hashOwn(
  handle: FileHandle,
  { size, hash }: { size: number; hash: ReturnType<typeof createHash> },
): Promise<number> {
  const { size: own } = await handle.stat();
  if (own > size) await handle.truncate(0);
  const end = own > size ? 0 : own;
  const buffer = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < end; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.byteLength, end - at), at);
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return end;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.byteLength; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.byteLength - at, position + at);
    at += bytesWritten;
  }
}
