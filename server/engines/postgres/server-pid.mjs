// Plain JavaScript, because the watcher runs it without a build.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processMark } from "../file-lock.mjs";

const POLL_MS = 20;

/**
 * The live server on a cluster, by its `postmaster.pid`; undefined when there is none. After a crash that file may name
 * an id that another program has got since.
 * @param {string} cluster
 * @returns {{ pid: number, port: number, ready: boolean } | undefined}
 */
export function runningServer(cluster) {
  const lines = readPidFile(cluster)?.split("\n") ?? [];
  const pid = Number(lines[0]);
  if (!processMark(pid) || !commandOf(pid).includes("postgres")) return undefined;
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === "ready" };
}

/** @param {string} cluster */
export function readPidFile(cluster) {
  try {
    return readFileSync(path.join(cluster, "postmaster.pid"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {number} pid */
function commandOf(pid) {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/**
 * Asks the server to disconnect its clients and stop; after `graceMs` it drops everything and recovers at its next
 * start. Resolves when the process is gone.
 * @param {number} pid
 * @param {number} graceMs
 */
export async function stopServer(pid, graceMs) {
  const mark = processMark(pid);
  const gone = () => mark === undefined || processMark(pid) !== mark;
  signal(pid, "SIGINT");
  for (let waitedMs = 0; !gone(); waitedMs += POLL_MS) {
    if (waitedMs >= graceMs) signal(pid, "SIGQUIT");
    await sleep(POLL_MS);
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
