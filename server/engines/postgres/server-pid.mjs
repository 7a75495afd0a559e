// Plain JavaScript, because the watcher runs it without a build.
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processMark } from "../file-lock.mjs";

const POLL_MS = 20;

/**
 * @typedef {object} RunningServer
 * @property {number} pid
 * @property {string} mark Distinguishes this process from a later one with the same id.
 * @property {number} port
 * @property {boolean} ready It accepts logins.
 */

/**
 * The live server on a cluster, by its `postmaster.pid`; undefined if there is none. After a crash that file may
 * contain an id that another program uses now.
 * @param {string} cluster
 * @returns {RunningServer | undefined}
 */
export function runningServer(cluster) {
  const lines = readPidFile(cluster)?.split("\n") ?? [];
  const pid = Number(lines[0]);
  const mark = processMark(pid);
  if (!mark || !isPostgresOn(cluster, pid)) return undefined;
  return { pid, mark, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === "ready" };
}

/**
 * Requests the server to disconnect its clients and stop; after `graceMs` it is stopped at once and recovers at its
 * next start. Resolves when the process has ended.
 * @param {{ pid: number, mark: string | undefined }} server
 * @param {number} graceMs
 */
export async function stopServer({ pid, mark }, graceMs) {
  const isThere = () => mark !== undefined && processMark(pid) === mark;
  if (isThere()) signal(pid, "SIGINT");
  for (let waitedMs = 0; isThere(); waitedMs += POLL_MS) {
    if (waitedMs >= graceMs) signal(pid, "SIGQUIT");
    await sleep(POLL_MS);
  }
}

/** @param {string} cluster */
function readPidFile(cluster) {
  try {
    return readFileSync(path.join(cluster, "postmaster.pid"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * @param {string} cluster
 * @param {number} pid
 */
function isPostgresOn(cluster, pid) {
  try {
    if (process.platform !== "linux") {
      const program = execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).trim();
      return path.basename(program) === "postgres";
    }
    const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return path.basename(program) === "postgres" && folderOf(pid, cluster) === realpathSync(cluster);
  } catch {
    return false;
  }
}

/**
 * A server's working directory is its cluster. The one of another user's process cannot be read, and is assumed to
 * match.
 * @param {number} pid
 * @param {string} cluster
 */
function folderOf(pid, cluster) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return realpathSync(cluster);
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
