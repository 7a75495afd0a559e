// Plain JavaScript, because the Postgres watcher runs it without a build.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";

/** A takeover takes a few system calls; one that is older than this was interrupted. */
const TAKEOVER_MS = 10_000;

/**
 * @typedef {object} FileLock
 * @property {true} taken
 * @property {() => void} release
 */
/**
 * @typedef {object} HeldLock
 * @property {false} taken
 * @property {number} pid The process that has it; 0 while another process is taking it over.
 */

/**
 * Takes the lock `file` for this process, or returns its holder. A lock whose holder is dead is taken over. Processes
 * are identified by their id and start time, so that a reused id is not mistaken for the holder.
 * @param {string} file
 * @returns {FileLock | HeldLock}
 */
export function takeLock(file) {
  const content = `${process.pid} ${processMark(process.pid) ?? ""} ${randomUUID()}`;
  if (createWith(file, content)) return held(file, content);
  const holder = readHolder(file);
  if (holder && isAlive(holder)) return { taken: false, pid: holder.pid };
  return takeOver(file, content);
}

/**
 * Whether the process that wrote `mark` is still running.
 * @param {{ pid: number, mark: string }} holder
 */
export function isAlive(holder) {
  const mark = processMark(holder.pid);
  return mark !== undefined && mark === holder.mark;
}

/**
 * A text that identifies the start time of a process among all with the same id; undefined if no such process runs.
 * Processes of other users are included.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processMark(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    if (process.platform !== "linux") {
      const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
      return line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "").replace(/\s+/g, "_");
    }
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * A link appears whole or not at all, so a lock is never read without its holder.
 * @param {string} file
 * @param {string} content
 */
function createWith(file, content) {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/**
 * Two processes may find the same dead holder: the second lock lets only one of them replace it.
 * @param {string} file
 * @param {string} content
 * @returns {FileLock | HeldLock}
 */
function takeOver(file, content) {
  const guard = `${file}.takeover`;
  if (!createWith(guard, content)) {
    if (ageMs(guard) > TAKEOVER_MS) removeFile(guard);
    return { taken: false, pid: 0 };
  }
  try {
    const holder = readHolder(file);
    if (holder && isAlive(holder)) return { taken: false, pid: holder.pid };
    removeFile(file);
    return createWith(file, content) ? held(file, content) : { taken: false, pid: readHolder(file)?.pid ?? 0 };
  } finally {
    removeFile(guard);
  }
}

/**
 * @param {string} file
 * @param {string} content
 * @returns {FileLock}
 */
function held(file, content) {
  const release = () => {
    if (readText(file) === content) removeFile(file);
  };
  return { taken: true, release };
}

/** @param {string} file */
function readHolder(file) {
  const [pid, mark] = readText(file)?.split(" ") ?? [];
  return pid && mark ? { pid: Number(pid), mark } : undefined;
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {string} file */
function ageMs(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/** @param {string} file */
function removeFile(file) {
  try {
    unlinkSync(file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
