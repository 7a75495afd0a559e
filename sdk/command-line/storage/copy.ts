import path from "node:path";
import { copyObject, headObject, type ListedObject, listObjects, type ObjectName } from "../../s3/objects";
import { UsageError } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";
import { addressOf, folderPrefix, isAddress, lastPart, readAddress, readObjectAddress } from "./address";
import { contentTypeOf } from "./content-type";
import { downloadFile, getRequest } from "./download-file";
import { exitOf, untilInterrupted } from "./finish";
import { factsOf, type LocalFile, unsafeReason, walkFolder } from "./local-files";
import { progressDisplay } from "./progress";
import { runTransfers } from "./run-transfers";
import { openStore, type Store } from "./store";
import type { Transfer } from "./transfer";
import { uploadFile } from "./upload-file";
import { uploadStream } from "./upload-stream";

interface CopyFlags {
  recursive?: boolean;
  quiet?: boolean;
  json?: boolean;
  "follow-symlinks"?: boolean;
  "content-type"?: string;
}

/** `svc storage cp`: between files and objects, or from objects to objects. */
export async function copy(read: Arguments, io: Io): Promise<number> {
  const [from, to] = [String(read.input.from), String(read.input.to)];
  const flags = read.flags as CopyFlags;
  assertPair(from, to, flags);
  const store = openStore(read, io);
  return untilInterrupted(store, io, async () => {
    const transfers = await transfersOf({ from, to, flags }, store, io);
    if (flags.recursive && transfers.length === 0 && !flags.quiet) io.stderr.write(`Nothing to copy in ${from}.\n`);
    const display = progressDisplay(io, {
      quiet: flags.quiet === true,
      json: flags.json === true,
      isPiped: to === "-",
    });
    return exitOf(await runTransfers(transfers, store, display), io, from !== "-" && to !== "-");
  });
}

/** Everything that can be said before svc is called. */
function assertPair(from: string, to: string, { recursive }: CopyFlags): void {
  if (!isAddress(from) && !isAddress(to)) {
    throw new UsageError("One of <from> and <to> must be an address such as svc://bucket/key.");
  }
  if (recursive && (from === "-" || to === "-")) throw new UsageError("--recursive: a folder is needed, not -.");
  for (const one of [from, to]) if (isAddress(one)) readAddress(one);
  if (isAddress(from) && !recursive) readObjectAddress(from);
  if (from === "-") readObjectAddress(to);
}

interface CopyAsk {
  from: string;
  to: string;
  flags: CopyFlags;
}

async function transfersOf(ask: CopyAsk, store: Store, io: Io): Promise<Transfer[]> {
  const { from, to, flags } = ask;
  if (from === "-") return [streamUpload(ask, store, io)];
  if (to === "-") return [await streamDownload(ask, store, io)];
  if (isAddress(from) && isAddress(to)) return objectCopies(ask, store);
  if (isAddress(from)) return flags.recursive ? folderDownload(ask, store) : [await singleDownload(ask, store)];
  const facts = await factsOf(from);
  if (!facts) throw new UsageError(`${from}: no such file or folder.`);
  if (facts.isDirectory()) {
    if (!flags.recursive) throw new UsageError(`${from} is a folder; add --recursive to upload what is in it.`);
    const { bucket, key } = readAddress(to);
    const { files, failed } = await filesOf(from, flags, io);
    const prefix = folderPrefix(key);
    const uploads = files.map((file) => uploadOf({ file, to: { bucket, key: prefix + file.name } }, { store, flags }));
    return [...failed.map((one) => refusedUpload(one, { bucket, key: prefix })), ...uploads];
  }
  const { bucket, key } = readAddress(to);
  const name = key === "" || key.endsWith("/") ? key + path.basename(from) : key;
  const file = { file: from, name: path.basename(from), size: facts.size, mtimeMs: facts.mtimeMs };
  return [uploadOf({ file, to: { bucket, key: name } }, { store, flags })];
}

/** A file or folder that cannot be read. */
interface FailedFile {
  file: string;
  reason: string;
}

/** The files of a folder in the order of their names, and what of it cannot be read. */
export async function filesOf(
  folder: string,
  flags: CopyFlags,
  io: Io,
): Promise<{ files: LocalFile[]; failed: FailedFile[] }> {
  const files: LocalFile[] = [];
  const failed: FailedFile[] = [];
  const onFailed = (file: string, reason: string) => void failed.push({ file, reason });
  const onSkipped = (file: string, reason: string): void => {
    if (!flags.quiet) io.stderr.write(`svc: skipped ${cellText(file)}: ${reason}\n`);
  };
  const walk = { followLinks: flags["follow-symlinks"] === true, onSkipped, onFailed };
  for await (const file of walkFolder(folder, walk)) files.push(file);
  return { files: files.sort((a, b) => (a.name < b.name ? -1 : 1)), failed };
}

/** Fails like any other transfer, so that it is reported, and what is missing is not deleted. */
export const refusedUpload = ({ file, reason }: FailedFile, to: ObjectName): Transfer => ({
  action: "upload",
  from: file,
  to: addressOf(to),
  refusal: reason,
  run: async () => {
    throw new Error(reason);
  },
});

export function uploadOf(
  { file, to }: { file: LocalFile; to: ObjectName },
  { store, flags }: { store: Store; flags: CopyFlags },
): Transfer {
  const contentType = flags["content-type"] ?? contentTypeOf(file.file);
  return {
    action: "upload",
    from: file.file,
    to: addressOf(to),
    size: file.size,
    run: (meter) => uploadFile(store, { file: file.file, to, contentType }, meter),
  };
}

function streamUpload({ to, flags }: CopyAsk, store: Store, io: Io): Transfer {
  const name = readObjectAddress(to);
  const contentType = flags["content-type"] ?? contentTypeOf(name.key);
  return {
    action: "upload",
    from: "-",
    to: addressOf(name),
    run: (meter) => uploadStream(store, { input: io.input(), to: name, contentType }, meter),
  };
}

async function streamDownload({ from }: CopyAsk, { client, signal }: Store, io: Io): Promise<Transfer> {
  const name = readObjectAddress(from);
  const { size, etag } = await headObject(client, name, signal);
  const { writeBytes } = io;
  if (!writeBytes) throw new UsageError("Standard output cannot take the bytes of an object here.");
  let offset = 0;
  return {
    action: "download",
    from: addressOf(name),
    to: "-",
    size,
    run: async (meter) => {
      const read = async (response: Response): Promise<void> => {
        for await (const chunk of response.body ?? []) {
          await writeBytes(chunk);
          offset += chunk.byteLength;
          meter.add(chunk.byteLength);
        }
        if (offset < size) throw Object.assign(new Error("The response was incomplete."), { code: "ECONNRESET" });
      };
      await client.send(() => getRequest({ from: name, etag, offset }, signal), read);
      return etag;
    },
  };
}

async function singleDownload({ from, to }: CopyAsk, store: Store): Promise<Transfer> {
  const name = readObjectAddress(from);
  const isFolder = /[/\\]$/.test(to) || (await factsOf(to))?.isDirectory() === true;
  const { size, etag } = await headObject(store.client, name, store.signal);
  const target = isFolder
    ? { root: to, name: lastPart(name.key) }
    : { root: path.dirname(to), name: path.basename(to) };
  return downloadOf({ bucket: name.bucket, object: { key: name.key, size, etag }, ...target }, store);
}

export interface DownloadAsk {
  bucket: string;
  object: Pick<ListedObject, "key" | "size" | "etag">;
  root: string;
  /** The path below `root`. */
  name: string;
}

export function downloadOf({ bucket, object, root, name }: DownloadAsk, store: Store): Transfer {
  const from = { bucket, key: object.key };
  const reason = unsafeReason(name);
  return {
    action: "download",
    from: addressOf(from),
    to: path.join(root, name),
    size: object.size,
    run: async (meter) => {
      if (reason !== undefined) throw new Error(`The key is not used as the name of a file: ${reason}.`);
      return downloadFile(store, { from, etag: object.etag, size: object.size, root, name }, meter);
    },
  };
}

async function folderDownload({ from, to }: CopyAsk, store: Store): Promise<Transfer[]> {
  const { bucket, key } = readAddress(from);
  const prefix = folderPrefix(key);
  const objects = await objectsUnder({ bucket, key: prefix }, store);
  const named = new Map(objects.map((object) => [object.key.slice(prefix.length), object]));
  return [...named].map(([name, object]) =>
    withoutClash(downloadOf({ bucket, object, root: to, name }, store), name, named),
  );
}

/** A download that would write to the unfinished download of another object fails instead. */
export function withoutClash(transfer: Transfer, name: string, all: ReadonlyMap<string, unknown>): Transfer {
  const other = name.replace(/\.part(\.etag)?$/, "");
  if (other === name || !all.has(other)) return transfer;
  const run = async (): Promise<undefined> => {
    throw new Error(`Its name is that of the unfinished download of ${other}; copy it by itself.`);
  };
  return { ...transfer, run };
}

/** All objects below a prefix; those that mark a folder have no content and end with a slash. */
export async function objectsUnder({ bucket, key }: ObjectName, { client, signal }: Store): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const { objects } of listObjects(client, { bucket, prefix: key, signal }))
    found.push(...objects.filter((one) => !(one.key.endsWith("/") && one.size === 0)));
  return found;
}

async function objectCopies({ from, to, flags }: CopyAsk, store: Store): Promise<Transfer[]> {
  const [source, target] = [readAddress(from), readAddress(to)];
  const copyOf = (key: string, into: string, size?: number): Transfer => {
    const names = { from: { bucket: source.bucket, key }, to: { bucket: target.bucket, key: into } };
    return {
      action: "copy",
      from: addressOf(names.from),
      to: addressOf(names.to),
      size,
      run: () => store.slots.run(() => copyObject(store.client, names, store.signal)),
    };
  };
  if (!flags.recursive) {
    const isFolder = target.key === "" || target.key.endsWith("/");
    return [copyOf(source.key, isFolder ? target.key + lastPart(source.key) : target.key)];
  }
  const prefix = folderPrefix(source.key);
  const into = folderPrefix(target.key);
  const objects = await objectsUnder({ ...source, key: prefix }, store);
  return objects.map(({ key, size }) => copyOf(key, into + key.slice(prefix.length), size));
}
