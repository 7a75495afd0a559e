import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { removeLeftovers } from "./leftovers.mjs";

const PREFIX = "svc-t-";
const OWNER = "owner.json";
const IN_MEMORY = "/dev/shm";
/** What vitest, esbuild and Node keep for later. */
const EXPECTED = new Set([OWNER, "node-compile-cache"]);

/**
 * Begins a run of tests: everything that it starts has its temporary files in one folder, which TMPDIR names, and so can
 * be found when the run has ended. First removes what is left of runs whose process no longer exists.
 */
export async function beginRun({ rootDir, print }) {
  const parent = process.env.SVC_TEST_TMPDIR ?? os.tmpdir();
  for (const run of deadRuns(parent)) {
    const removed = await removeLeftovers(run.mark, run.folders);
    for (const line of removed) print(`removed what an earlier run left: ${line}`);
    print(`removed the folders of an earlier run, ${run.mark}`);
  }
  const dir = mkdtempSync(path.join(parent, PREFIX));
  // PostgreSQL runs as another user where svc is root.
  chmodSync(dir, 0o755);
  const mark = path.basename(dir);
  const builds = path.join(rootDir, ".build/test", mark);
  const owner = { pid: process.pid, startedAt: startOf(process.pid), builds };
  writeFileSync(path.join(dir, OWNER), JSON.stringify(owner));
  mkdirSync(builds, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = dir;
  process.env.SVC_TEST_RUN = dir;
  const end = async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    delete process.env.SVC_TEST_RUN;
    const folders = namesIn(dir).map((name) => `folder ${name}`);
    const removed = await removeLeftovers(mark, foldersOf(dir, builds));
    return [...removed, ...folders];
  };
  return { dir, mark, builds, end };
}

function deadRuns(parent) {
  return readdirSync(parent)
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((mark) => {
      const dir = path.join(parent, mark);
      const owner = ownerOf(dir);
      if (owner === undefined || startOf(owner.pid) === owner.startedAt) return [];
      return [{ mark, folders: foldersOf(dir, owner.builds) }];
    });
}

/** The folder with the owner's name comes last, so that an interrupted removal is repeated. */
function foldersOf(dir, builds) {
  return [path.join(IN_MEMORY, path.basename(dir)), builds, dir].filter((folder) => existsSync(folder));
}

function ownerOf(dir) {
  try {
    return JSON.parse(readFileSync(path.join(dir, OWNER), "utf8"));
  } catch {
    return undefined;
  }
}

/** When a process started, which tells it from a later one with its id; undefined if there is none. */
function startOf(pid) {
  try {
    if (process.platform !== "linux") return process.kill(pid, 0) ? "alive" : undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

const namesIn = (dir) =>
  readdirSync(dir)
    .filter((name) => !EXPECTED.has(name))
    .sort();
