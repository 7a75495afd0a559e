import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const CLAIM = /^lock\.(\d+)\.([0-9a-z]+)\.[0-9a-f]+$/;

export interface VolumeLock {
  release(): Promise<void>;
}

/**
 * Holds a folder against every other opener, of this process too; undefined when a living process holds it. A claim is a
 * file whose name says who made it (process id and start time, so a reused id is not mistaken for the owner). Each opener
 * writes its claim first and looks second, so two can both give way but never both hold; then they try again. All
 * openers must see each other's process ids: one machine (or one container) a folder.
 */
export async function lockVolume(dir: string, tries: number): Promise<VolumeLock | undefined> {
  const me = `${process.pid}.${(await startOf(process.pid)) ?? "unknown"}`;
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt > 0) await wait(Math.random() * 20 * 2 ** attempt);
    const claim = path.join(dir, `lock.${me}.${randomBytes(6).toString("hex")}`);
    if (await holds(dir, claim)) return { release: () => rm(claim, { force: true }) };
  }
  return undefined;
}

async function holds(dir: string, claim: string): Promise<boolean> {
  try {
    await mkdir(dir, { recursive: true });
    await (await open(claim, "wx")).close();
    const others = (await readdir(dir)).filter((name) => CLAIM.test(name) && name !== path.basename(claim));
    const alive = await Promise.all(others.map(isAlive));
    if (alive.includes(true)) {
      await rm(claim, { force: true });
      return false;
    }
    for (const name of others) await rm(path.join(dir, name), { force: true });
    return true;
  } catch (cause) {
    // The folder was removed in between, by the one who held it.
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw cause;
  }
}

async function isAlive(name: string): Promise<boolean> {
  const [, pid, start] = CLAIM.exec(name) ?? [];
  return start !== undefined && (await startOf(Number(pid))) === start;
}

/** When the process with this id began, in letters and digits; undefined when there is none, or only a zombie. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return startOnLinux(pid);
  const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", `${pid}`]).catch(() => ({ stdout: "" }));
  return stdout.replace(/[^0-9A-Za-z]/g, "").toLowerCase() || undefined;
}

/** Fields 3 (state) and 22 (start, in ticks since the boot) of proc(5) stat; the boot id tells boots apart. */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, ticks] = [fields[0], fields[19]];
  if (!ticks || state === "Z" || state === "X") return undefined;
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return `${ticks}x${boot.replace(/[^0-9a-f]/g, "").slice(0, 12)}`;
}
