import { readdir, readFile, readlink, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { DiskGrowth, DiskUse } from "../../disk-space/disk-writers";
import { PROMISED_DISK_BYTES } from "../promised-disk";
import type { WorkloadWriters } from "../runtime";
import { signalNamespace } from "./namespace-processes";
import type { WorkloadUses } from "./volume-store";
import { WorkloadFolder } from "./workload-folder";

const STAT_BLOCK_BYTES = 512;
/** As ext4 keeps them for itself: a fiftieth, at most so many. */
const CLUSTERS_KEPT = 4096;

interface RunningWorkload {
  id: string;
  folder: WorkloadFolder;
}

/** The disks of workloads and volumes below two folders, each with a folder per disk. */
export class WorkloadDisks implements WorkloadWriters {
  constructor(readonly folders: { workloads: string; volumes: string }) {}

  async measure(): Promise<DiskUse[]> {
    const { workloads, volumes } = this.folders;
    const disks = (await Promise.all([workloads, volumes].map(foldersIn))).flat();
    return (await Promise.all(disks.map(useOf))).flatMap((use) => use ?? []);
  }

  /** What workloads take of the disk, ended ones included. */
  async workloadUses(): Promise<WorkloadUses> {
    const all = (await foldersIn(this.folders.workloads)).map(workloadIn);
    const uses = await Promise.all(all.map(({ folder }) => workloadUseOf(folder)));
    const bytes = Object.fromEntries(all.map(({ id }, i) => [id, uses[i]?.bytes ?? 0]));
    return { bytes, promisedBytes: uses.reduce((sum, { promisedBytes }) => sum + promisedBytes, 0) };
  }

  /** By the clusters that ext4 gives to nobody, of which `reserved_clusters` may be any number. */
  async limit(growth: readonly DiskGrowth[]): Promise<void> {
    await Promise.all(growth.map((one) => limitOne(one)));
  }

  async pause(disks: readonly string[]): Promise<void> {
    for (const { folder } of await this.#using(disks)) {
      // Before the signal: whatever happens then, `resume` finds it.
      await writeFile(pausedFile(folder), "", { mode: 0o600 });
      await signalOf(folder, "SIGSTOP");
    }
  }

  async end(disks: readonly string[]): Promise<void> {
    for (const { folder } of await this.#using(disks)) await signalOf(folder, "SIGKILL");
  }

  async resume(): Promise<void> {
    for (const { folder } of await this.#paused()) {
      await signalOf(folder, "SIGCONT");
      await rm(pausedFile(folder), { force: true });
    }
  }

  /** The ids of the workloads that are paused. */
  async paused(): Promise<string[]> {
    return (await this.#paused()).map(({ id }) => id);
  }

  async isPaused(id: string): Promise<boolean> {
    return isThere(pausedFile(new WorkloadFolder(path.join(this.folders.workloads, id))));
  }

  /** What each workload that runs has mounted of the volumes: their folders, by its id. */
  async volumesInUse(): Promise<Map<string, ReadonlySet<string>>> {
    const volumes = await foldersIn(this.folders.volumes);
    const devices = await Promise.all(volumes.map(deviceOf));
    const all = (await foldersIn(this.folders.workloads)).map(workloadIn);
    const used = all.map(async ({ id, folder }): Promise<[string, ReadonlySet<string>]> => {
      const mounted = await mountedIn(folder);
      return [id, new Set(volumes.filter((_, i) => mounted.has(devices[i] ?? "")))];
    });
    return new Map(await Promise.all(used));
  }

  async #paused(): Promise<RunningWorkload[]> {
    const all = (await foldersIn(this.folders.workloads)).map(workloadIn);
    const arePaused = await Promise.all(all.map(({ folder }) => isThere(pausedFile(folder))));
    return all.filter((_, i) => arePaused[i]);
  }

  /** Running workloads that have one of these disks, as their own or as a volume. */
  async #using(disks: readonly string[]): Promise<RunningWorkload[]> {
    const devices = new Set((await Promise.all(disks.map(deviceOf))).flatMap((device) => device ?? []));
    const all = (await foldersIn(this.folders.workloads)).map(workloadIn);
    const areUsing = await Promise.all(
      all.map(async ({ folder }) => {
        if (disks.includes(folder.dir)) return true;
        const mounted = await mountedIn(folder);
        return [...devices].some((device) => mounted.has(device));
      }),
    );
    return all.filter((_, i) => areUsing[i]);
  }
}

async function limitOne({ disk, freeBytes, allowedBytes, growthBytes }: DiskGrowth): Promise<void> {
  if (growthBytes === allowedBytes) return;
  try {
    // A cluster is a block; small disks have smaller blocks.
    const { blocks, bsize } = await statfs(path.join(disk, "data"));
    const least = Math.min(CLUSTERS_KEPT, Math.floor(blocks / 50));
    const kept = Math.max(least, Math.ceil((freeBytes - growthBytes) / bsize));
    const file = await reservedFile(disk);
    if (Number(await readFile(file, "utf8")) !== kept) await writeFile(file, String(kept), { flag: "r+" });
  } catch {
    // The kernel does not let svc, or the disk has just been deleted; filling it is then noticed at the next look.
  }
}

const reservedFile = async (disk: string): Promise<string> =>
  `/sys/fs/ext4/${path.basename(await readlink(`/sys/dev/block/${await deviceOf(disk)}`))}/reserved_clusters`;

const pausedFile = ({ dir }: WorkloadFolder): string => path.join(dir, "paused");

const workloadIn = (dir: string): RunningWorkload => ({ id: path.basename(dir), folder: new WorkloadFolder(dir) });

async function foldersIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => !name.startsWith(".")).map((name) => path.join(dir, name));
}

/** undefined: its limit is not enforced, or it is not mounted or is being deleted, so that nothing writes to it. */
async function useOf(disk: string): Promise<DiskUse | undefined> {
  try {
    if ((await deviceOf(disk)) === undefined) return undefined;
    const [file, { bfree, bsize }, kept] = await Promise.all([
      stat(path.join(disk, "disk")),
      statfs(path.join(disk, "data")),
      reservedFile(disk).then(
        async (reserved) => Number(await readFile(reserved, "utf8")),
        () => 0,
      ),
    ]);
    const freeBytes = bfree * bsize;
    const storedBytes = file.blocks * STAT_BLOCK_BYTES;
    return {
      disk,
      usedBytes: file.size - freeBytes,
      storedBytes,
      freeBytes,
      allowedBytes: Math.max(0, freeBytes - kept * bsize),
    };
  } catch {
    return undefined;
  }
}

/** The device that is mounted in the folder of a disk, as `major:minor`; undefined: none is. */
async function deviceOf(disk: string): Promise<string | undefined> {
  try {
    const [own, above] = await Promise.all([
      stat(path.join(disk, "data"), { bigint: true }),
      stat(disk, { bigint: true }),
    ]);
    return own.dev === above.dev ? undefined : majorAndMinor(own.dev);
  } catch {
    return undefined;
  }
}

/** As makedev(3) of the GNU C library composes them. */
const majorAndMinor = (dev: bigint): string =>
  `${((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)}:${(dev & 0xffn) | ((dev >> 12n) & ~0xffn)}`;

/** The devices that are mounted in a workload. */
async function mountedIn(folder: WorkloadFolder): Promise<Set<string>> {
  const state = await folder.state();
  if (state.state !== "running") return new Set();
  const mounts = await readFile(`/proc/${state.process.pid}/mountinfo`, "utf8").catch(() => "");
  return new Set(mounts.split("\n").flatMap((line) => line.split(" ")[2] ?? []));
}

async function signalOf(folder: WorkloadFolder, signal: NodeJS.Signals): Promise<void> {
  const state = await folder.state();
  if (state.state === "running") await signalNamespace(state.process, signal);
}

async function workloadUseOf(folder: WorkloadFolder): Promise<Record<"bytes" | "promisedBytes", number>> {
  const log = folder.file("log");
  const segments = (await readdir(log).catch(() => [])).map((name) => path.join(log, name));
  const [disk = 0, ...ofLog] = await Promise.all([folder.file("disk"), ...segments].map(blockBytes));
  const hasEnded = (await folder.state()).state === "exited";
  return {
    bytes: ofLog.reduce((sum, bytes) => sum + bytes, disk),
    promisedBytes: hasEnded ? 0 : Math.min(PROMISED_DISK_BYTES, disk),
  };
}

const blockBytes = (file: string): Promise<number> =>
  stat(file).then(
    ({ blocks }) => blocks * STAT_BLOCK_BYTES,
    () => 0,
  );

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
