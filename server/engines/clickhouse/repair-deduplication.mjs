// Plain JavaScript, because sidecar.mjs runs it without a build.
import { closeSync, constants, openSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import path from "node:path";
import { DataType, load, open } from "ffi-rs";

const LIBC = { linux: "libc.so.6", darwin: "/usr/lib/libSystem.B.dylib" };
/** LOCK_EX | LOCK_NB of flock(2), the same on Linux and macOS. */
const LOCK_OR_FAIL = 2 | 4;

/**
 * Makes an insert that was interrupted repeatable. A MergeTree table writes the deduplication token of a new part to
 * its log before it renames the part into place, so an engine that is killed between the two remembers rows that it
 * does not have, and would ignore the same insert when it is sent again. This removes such records from the end of each
 * log. Call it before the engine starts; while another engine uses `dir`, it changes nothing.
 * @param {string} dir The engine's data folder, absolute.
 * @returns {number} How many records were removed.
 */
export function repairDeduplication(dir) {
  const lock = lockUnused(path.join(dir, "status"));
  if (lock === undefined) return 0;
  try {
    return tablesIn(path.join(dir, "store")).reduce((removed, table) => removed + repairTable(table), 0);
  } finally {
    closeSync(lock);
  }
}

/**
 * Takes the engine's own lock until the descriptor is closed; undefined if another engine has it or `dir` is new.
 * @param {string} file
 */
function lockUnused(file) {
  const name = LIBC[/** @type {keyof LIBC} */ (process.platform)];
  const fd = name === undefined ? undefined : openIfThere(file);
  if (fd === undefined) return undefined;
  open({ library: "c", path: name });
  const { I32 } = DataType;
  const paramsType = [I32, I32];
  const refused = load({ library: "c", funcName: "flock", retType: I32, paramsType, paramsValue: [fd, LOCK_OR_FAIL] });
  if (refused === 0) return fd;
  closeSync(fd);
  return undefined;
}

/** @param {string} file */
function openIfThere(file) {
  try {
    return openSync(file, constants.O_RDWR);
  } catch {
    return undefined;
  }
}

/** The folders of tables: `<store>/<first digits of the id>/<id>`. */
const tablesIn = (/** @type {string} */ store) =>
  namesIn(store).flatMap((group) => namesIn(path.join(store, group)).map((id) => path.join(store, group, id)));

/** @param {string} table */
function repairTable(table) {
  const file = lastLogOf(path.join(table, "deduplication_logs"));
  if (file === undefined) return 0;
  const text = readFileSync(file, "utf8");
  const parts = [...namesIn(table), ...namesIn(path.join(table, "detached"))].flatMap((name) => partOf(name) ?? []);
  let [end, removed] = [text.length, 0];
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 2) + 1;
    if (!isWithoutPart(text.slice(start, end), parts)) break;
    [end, removed] = [start, removed + 1];
  }
  if (removed > 0) truncateSync(file, Buffer.byteLength(text.slice(0, end)));
  return removed;
}

/**
 * The log with the highest number that has records: an engine opens a new log when the last one is full.
 * @param {string} dir
 */
function lastLogOf(dir) {
  const numberOf = (/** @type {string} */ name) => Number(/_(\d+)\.txt$/.exec(name)?.[1]);
  const files = namesIn(dir).filter((name) => numberOf(name) >= 0);
  files.sort((one, other) => numberOf(other) - numberOf(one));
  return files.map((name) => path.join(dir, name)).find((file) => readFileSync(file).length > 0);
}

/**
 * Whether a record `1 <part> <token>` names a part that is neither there nor merged into a larger one.
 * @param {string} record
 * @param {readonly Part[]} parts
 */
function isWithoutPart(record, parts) {
  const [operation, name = ""] = record.split("\t");
  const part = operation === "1" ? partOf(name) : undefined;
  if (part === undefined) return false;
  return !parts.some(
    (other) => other.partition === part.partition && other.first <= part.first && other.last >= part.last,
  );
}

/**
 * @typedef {object} Part
 * @property {string} partition
 * @property {number} first The number of the first block.
 * @property {number} last
 */
/**
 * `<partition>_<first block>_<last block>_<level>`, and a mutation; undefined for any other name, such as a temporary
 * one.
 * @param {string} name
 * @returns {Part | undefined}
 */
function partOf(name) {
  const [, partition, first, last] = /^([0-9a-z]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? [];
  return partition === undefined ? undefined : { partition, first: Number(first), last: Number(last) };
}

/** @param {string} dir */
function namesIn(dir) {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
