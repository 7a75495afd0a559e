import { open, rm } from "node:fs/promises";
import path from "node:path";
import { matchesEtag } from "../../s3/etags";
import { headObject, type ListedObject, type ObjectName } from "../../s3/objects";
import { EXIT, UsageError } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";
import { addressOf, folderPrefix, isAddress, readAddress } from "./address";
import { downloadOf, filesOf, objectsUnder, refusedUpload, uploadOf, withoutClash } from "./copy";
import { PART_SUFFIXES } from "./download-file";
import { exitOf, untilInterrupted } from "./finish";
import { factsOf, type LocalFile } from "./local-files";
import { progressDisplay, resultLine } from "./progress";
import { removeKeys } from "./remove";
import { runTransfers } from "./run-transfers";
import { forEachParallel } from "./slots";
import { openStore, type Store } from "./store";
import type { Transfer } from "./transfer";

interface Sides {
  folder: string;
  remote: ObjectName;
  isUpload: boolean;
}

interface Compared {
  local: Map<string, LocalFile>;
  remote: Map<string, ListedObject>;
}

/** `svc storage sync`: makes one side the same as the other, and transfers only what differs. */
export async function sync(read: Arguments, io: Io): Promise<number> {
  const sides = sidesOf(String(read.input.from), String(read.input.to));
  const facts = await factsOf(sides.folder);
  if (facts ? !facts.isDirectory() : sides.isUpload) throw new UsageError(`${sides.folder}: no such folder.`);
  const store = openStore(read, io);
  return untilInterrupted(store, io, () => syncSides(sides, { hasFolder: facts !== undefined }, { store, read, io }));
}

interface Tools {
  store: Store;
  read: Arguments;
  io: Io;
}

async function syncSides(
  sides: Sides,
  { hasFolder }: { hasFolder: boolean },
  { store, read, io }: Tools,
): Promise<number> {
  const { files, failed } = hasFolder ? await filesOf(sides.folder, read.flags, io) : { files: [], failed: [] };
  const objects = await objectsUnder(sides.remote, store);
  const name = (key: string): string => key.slice(sides.remote.key.length);
  const compared: Compared = {
    local: new Map(withoutParts(files).map((file) => [file.name, file])),
    remote: new Map(objects.map((object) => [name(object.key), object])),
  };
  const extra = read.flags.delete ? extraNames(sides, compared) : [];
  const refused = sides.isUpload ? failed.map((one) => refusedUpload(one, sides.remote)) : [];
  const transfers = [...refused, ...(await changedOf({ sides, compared }, { store, read }))];
  const localDeletions = sides.isUpload ? [] : extra.map((one) => deletionOf(sides.folder, one));
  const keys = sides.isUpload ? extra.map((one) => sides.remote.key + one) : [];
  const { quiet, json } = read.flags;
  if (read.flags["dry-run"]) {
    const deletions = keys.map((key): Transfer => remoteDeletion({ bucket: sides.remote.bucket, key }));
    return printPlan([...transfers, ...localDeletions, ...deletions], { io, asJson: json === true });
  }
  const display = progressDisplay(io, { quiet: quiet === true, json: json === true });
  const outcome = await runTransfers(transfers, store, display);
  // What is no longer there is deleted last, and only when everything else is stored.
  if (outcome.failed > 0 || outcome.isInterrupted) return exitOf(outcome, io);
  const removed =
    keys.length > 0
      ? await removeKeys({ bucket: sides.remote.bucket, keys }, { store, read, io })
      : await runTransfers(localDeletions, store, display);
  const done = outcome.done + removed.done;
  if (done + removed.failed === 0 && !quiet && !json) io.stderr.write("Nothing differs.\n");
  return exitOf({ ...removed, done }, io);
}

function sidesOf(from: string, to: string): Sides {
  if (isAddress(from) === isAddress(to)) {
    throw new UsageError(
      "One of <from> and <to> must be a folder, and the other an address such as svc://bucket/prefix.",
    );
  }
  const isUpload = isAddress(to);
  const { bucket, key } = readAddress(isUpload ? to : from);
  return { folder: isUpload ? from : to, remote: { bucket, key: folderPrefix(key) }, isUpload };
}

/** Unfinished downloads are no files of their own. */
function withoutParts(files: readonly LocalFile[]): LocalFile[] {
  const names = new Set(files.map(({ name }) => name));
  return files.filter(({ name }) => {
    const file = name.replace(/\.part(\.etag)?$/, "");
    return file === name || !PART_SUFFIXES.every((suffix) => names.has(file + suffix));
  });
}

/** What only the target has. @throws UsageError when the source is empty, which is more often a mistake than a wish. */
function extraNames({ isUpload, folder, remote: at }: Sides, { local, remote }: Compared): string[] {
  const [source, target] = isUpload ? [local, remote] : [remote, local];
  if (source.size === 0 && target.size > 0) {
    const [empty, other] = isUpload ? [folder, addressOf(at)] : [addressOf(at), folder];
    throw new UsageError(`--delete: ${empty} is empty, so that all of ${other} would be deleted.`);
  }
  return [...target.keys()].filter((name) => !source.has(name));
}

interface Plan {
  sides: Sides;
  compared: Compared;
}

async function changedOf(
  { sides, compared: { local, remote } }: Plan,
  { store, read }: { store: Store; read: Arguments },
): Promise<Transfer[]> {
  const { bucket, key: prefix } = sides.remote;
  const changed = new Set<string>();
  const names = [...(sides.isUpload ? local : remote).keys()];
  await forEachParallel(names, store.parallel, async (name) => {
    store.signal.throwIfAborted();
    const [file, object] = [local.get(name), remote.get(name)];
    if (!file || !object || !(await isSame({ file, object, bucket }, store))) changed.add(name);
  });
  return names
    .filter((name) => changed.has(name))
    .flatMap((name): Transfer[] => {
      const [file, object] = [local.get(name), remote.get(name)];
      if (sides.isUpload && file)
        return [uploadOf({ file, to: { bucket, key: prefix + name } }, { store, flags: read.flags })];
      return object
        ? [withoutClash(downloadOf({ bucket, object, root: sides.folder, name }, store), name, remote)]
        : [];
    });
}

/** By size and content; where the ETag is no MD5 that can be computed here, by the stored modification time. */
async function isSame(
  { file, object, bucket }: { file: LocalFile; object: ListedObject; bucket: string },
  { client, signal }: Store,
): Promise<boolean> {
  if (file.size !== object.size) return false;
  const handle = await open(file.file, "r");
  const matches = await matchesEtag(handle, file.size, object.etag).finally(() => handle.close());
  if (matches !== undefined) return matches;
  const { mtimeMs } = await headObject(client, { bucket, key: object.key }, signal);
  return mtimeMs === Math.round(file.mtimeMs);
}

const deletionOf = (folder: string, name: string): Transfer => ({
  action: "delete",
  from: path.join(folder, name),
  run: async () => {
    await rm(path.join(folder, name));
    return undefined;
  },
});

const remoteDeletion = (name: ObjectName): Transfer => ({
  action: "delete",
  from: addressOf(name),
  run: async () => undefined,
});

function printPlan(transfers: readonly Transfer[], { io, asJson }: { io: Io; asJson: boolean }): number {
  const refused = transfers.filter(({ refusal }) => refusal !== undefined);
  for (const { from, refusal } of refused) io.stderr.write(`svc: ${cellText(from)}: ${refusal}\n`);
  for (const { action, from, to, size } of transfers.filter(({ refusal }) => refusal === undefined)) {
    const result = { action, from, ...(to === undefined ? {} : { to }), size, status: "planned" as const };
    io.stdout.write(asJson ? `${JSON.stringify(result)}\n` : resultLine(result, "would "));
  }
  if (transfers.length === 0 && !asJson) io.stderr.write("Nothing differs.\n");
  return refused.length > 0 ? EXIT.refused : EXIT.ok;
}
