import { ResponseError } from "../../response-error";
import { deleteObjects, headObject, listObjects, type ObjectName } from "../../s3/objects";
import { EXIT, UsageError } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { addressOf, folderPrefix, readAddress, readObjectAddress } from "./address";
import { exitOf, untilInterrupted } from "./finish";
import { progressDisplay } from "./progress";
import type { Outcome } from "./run-transfers";
import { openStore, type Store } from "./store";
import type { TransferResult } from "./transfer";

/** As many keys as one request deletes. */
const BATCH = 1000;

/** `svc storage rm`: one object, or with --recursive all under a prefix, after a question on a terminal. */
export async function remove(read: Arguments, io: Io): Promise<number> {
  const address = String(read.input.address);
  const { recursive, yes } = read.flags;
  const name = recursive ? readAddress(address) : readObjectAddress(address);
  if (recursive && !yes && !io.isInteractive) {
    throw new UsageError("--recursive needs --yes when there is no terminal to confirm it on.");
  }
  const store = openStore(read, io);
  return untilInterrupted(store, io, () => removeAll({ address, name }, { store, read, io }));
}

interface Tools {
  store: Store;
  read: Arguments;
  io: Io;
}

async function removeAll({ address, name }: { address: string; name: ObjectName }, tools: Tools): Promise<number> {
  const { store, read, io } = tools;
  const { recursive, yes } = read.flags;
  if (!recursive) {
    await assertExists(name, store);
    return exitOf(await removeKeys({ bucket: name.bucket, keys: [name.key] }, tools), io);
  }
  const keys: string[] = [];
  const ask = { bucket: name.bucket, prefix: folderPrefix(name.key), signal: store.signal };
  for await (const { objects } of listObjects(store.client, ask)) keys.push(...objects.map(({ key }) => key));
  if (keys.length === 0) {
    io.stderr.write(`No objects under ${address}.\n`);
    return EXIT.ok;
  }
  const question = `Delete ${keys.length} ${keys.length === 1 ? "object" : "objects"} under ${address}? [y/N] `;
  if (!yes && !/^y(es)?$/i.test((await io.ask(question)).trim())) {
    io.stderr.write("Nothing was deleted.\n");
    return EXIT.refused;
  }
  return exitOf(await removeKeys({ bucket: name.bucket, keys }, tools), io);
}

/** S3 deletes what does not exist without an error, and a misspelled key should be one. */
async function assertExists(name: ObjectName, { client, signal }: Store): Promise<void> {
  try {
    await headObject(client, name, signal);
  } catch (failure) {
    if (!(failure instanceof ResponseError)) throw failure;
    // The key may not be allowed to read, or its name may not be one that a URL can have.
    if (failure.status !== 403 && failure.code !== "InvalidKey") throw failure;
  }
}

interface Removal {
  bucket: string;
  keys: readonly string[];
}

/** Deletes keys in batches and reports each. */
export async function removeKeys(
  { bucket, keys }: Removal,
  { store: { client, signal }, read, io }: Tools,
): Promise<Outcome> {
  const display = progressDisplay(io, { quiet: read.flags.quiet === true, json: read.flags.json === true });
  const outcome: Outcome = { done: 0, failed: 0, isInterrupted: false };
  for (let at = 0; at < keys.length && !signal.aborted; at += BATCH) {
    const batch = keys.slice(at, at + BATCH);
    const failures = await deleteObjects(client, { bucket, keys: batch }, signal).catch((failure: unknown) => {
      if (!signal.aborted) throw failure;
      return undefined;
    });
    if (!failures) break;
    const failed = new Map(failures.map((one) => [one.key, one]));
    for (const key of batch) {
      const error = failed.get(key);
      outcome[error ? "failed" : "done"]++;
      const from = addressOf({ bucket, key });
      const result: TransferResult = { action: "delete", from, status: error ? "failed" : "done" };
      const full = error ? { ...result, error: { code: error.code, message: error.message } } : result;
      display.end({ action: "delete", from, run: async () => undefined }, full);
    }
  }
  display.close();
  return { ...outcome, isInterrupted: signal.aborted };
}
