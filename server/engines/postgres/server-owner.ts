import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isAlive, processMark } from "../file-lock.mjs";
import type { ClusterPaths } from "./cluster-paths";

export interface Ownership {
  /** Whether this process is still the owner and the data directory still exists. */
  isHeld(): boolean;
  /** Ends the watch; call it when the server has stopped. */
  release(): void;
}

/**
 * Makes this process the owner of the server on a cluster, before the server starts or is adopted, and starts a watcher
 * that stops the server when this process has ended. The caller must have taken the start lock.
 */
export function ownServer(rootDir: string, paths: ClusterPaths): Ownership {
  const token = randomUUID();
  const draft = `${paths.owner}.${token}`;
  writeFileSync(draft, JSON.stringify({ token, pid: process.pid, mark: processMark(process.pid) }), { mode: 0o600 });
  renameSync(draft, paths.owner);

  const program = path.join(rootDir, "server", "engines", "postgres", "postgres-watcher.mjs");
  const watcher = spawn(process.execPath, [program, paths.cluster, paths.owner, paths.lock, token], {
    cwd: "/",
    detached: true,
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  const isHeld = () => readOwner(paths)?.token === token;
  return {
    isHeld,
    release: () => {
      if (isHeld()) rmSync(paths.owner, { force: true });
      watcher.stdin.destroy();
    },
  };
}

/** The live process that owns the server: others may use the server, but must neither stop nor start it. */
export function liveOwner(paths: ClusterPaths): number | undefined {
  const owner = readOwner(paths);
  return owner !== undefined && isAlive(owner) ? owner.pid : undefined;
}

function readOwner(paths: ClusterPaths): { token: string; pid: number; mark: string } | undefined {
  try {
    return JSON.parse(readFileSync(paths.owner, "utf8")) as { token: string; pid: number; mark: string };
  } catch {
    return undefined;
  }
}
