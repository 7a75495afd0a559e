import { createHash, randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pack } from "tar-stream";
import { addTarEntry } from "../add-tar-entry";
import { PROBE_EXIT_CODE, probeProgram } from "../namespaces/probe-program";
import { DISK_BYTES_MIN } from "../namespaces/program-of";
import type { VolumeMount, VolumeStore } from "../namespaces/volume-store";
import type { Allocation, WorkloadLimits } from "../runtime";
import { containerSpec, type EngineGpuDriver, type ProcessLimits } from "./container-spec";
import type { InspectedContainer } from "./container-state";
import type { EngineClient } from "./engine-client";
import type { ImageStore } from "./image-store";
import { deleteContainer, upperFolderOf } from "./prepare-container";

export interface ProbeDocker {
  engine: EngineClient;
  images: ImageStore;
  /** The engine's name for the image of the trial. */
  image: string;
  /** An existing folder, to which only this process writes. */
  dir: string;
  architecture: string;
  installation: string;
  processLimits: ProcessLimits;
}

export interface DockerAbilities {
  enforcedLimits: ReadonlySet<keyof WorkloadLimits>;
  /** Why limits of the disk are not enforced; undefined if they are. */
  noDisks: string | undefined;
  gpuDriver: EngineGpuDriver | undefined;
}

/** The part of `GET /info` that is used. */
interface EngineDescription {
  MemoryLimit?: boolean;
  CpuCfsQuota?: boolean;
  PidsLimit?: boolean;
  DriverStatus?: [string, string][] | null;
  Runtimes?: Record<string, object> | null;
  CDISpecDirs?: string[] | null;
  /** Docker 28.3 and newer. */
  DiscoveredDevices?: { ID: string }[] | null;
}

const LIMITS = { memoryBytes: 64 * 1024 * 1024, cpuMillis: 500, pids: 16, diskBytes: DISK_BYTES_MIN };
const EXIT_WAIT_MS = 20_000;
const POLL_MS = 20;

/**
 * Runs a program that only exits in a container, with everything that a workload gets, and says which limits are
 * enforced. Throws an Error with the reason if it fails. Nothing is downloaded.
 */
export async function probeDocker(probe: ProbeDocker): Promise<DockerAbilities> {
  const info = await probe.engine.json<EngineDescription>({ path: "/info" });
  const status = new Map(info.DriverStatus ?? []);
  if (status.get("Native Overlay Diff") !== "true") {
    throw new Error(
      "its storage does not keep changed files in a folder of their own, as overlay without metacopy does",
    );
  }
  await addProbeImage(probe);
  const noDisks = await failureOf(() => runProbe(probe, { hasDisks: true }));
  if (noDisks !== undefined) await runProbe(probe, { hasDisks: false });
  const enforced: Record<keyof WorkloadLimits, boolean> = {
    memoryBytes: info.MemoryLimit === true,
    cpuMillis: info.CpuCfsQuota === true,
    pids: info.PidsLimit === true,
    diskBytes: noDisks === undefined,
  };
  const names = Object.keys(enforced) as (keyof WorkloadLimits)[];
  return { enforcedLimits: new Set(names.filter((name) => enforced[name])), noDisks, gpuDriver: gpuDriverOf(info) };
}

/** How an engine passes NVIDIA GPUs on, by its `GET /info`; undefined: it cannot. */
export function gpuDriverOf({
  Runtimes,
  CDISpecDirs,
  DiscoveredDevices,
}: EngineDescription): EngineGpuDriver | undefined {
  if (DiscoveredDevices?.some(({ ID }) => ID.startsWith("nvidia.com/gpu="))) return "cdi";
  if (Runtimes && "nvidia" in Runtimes) return "nvidia";
  // Engines that list no devices have a folder for them only where CDI was enabled.
  return !DiscoveredDevices && CDISpecDirs && CDISpecDirs.length > 0 ? "cdi" : undefined;
}

function programFor({ architecture }: ProbeDocker): Buffer {
  const program = probeProgram(architecture);
  if (!program) throw new Error(`the architecture ${architecture} is not supported`);
  return program;
}

async function addProbeImage(probe: ProbeDocker): Promise<void> {
  const { images, image, dir } = probe;
  const program = programFor(probe);
  const archive = pack();
  addTarEntry(archive, { name: "probe", mode: 0o755, mtime: new Date(0) }, { content: program });
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  const layer = Buffer.concat(chunks);
  const file = path.join(dir, `.probe-${randomUUID()}`);
  try {
    await writeFile(file, layer);
    const digest = `sha256:${createHash("sha256").update(layer).digest("hex")}`;
    await images.add(image, [{ file, bytes: layer.length, digest }]);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Whether the engine sees a file system that this process has mounted; it may have a mount namespace of its own. The
 * trial's program is in it, because an engine may make a folder that it does not find.
 */
export async function seesDisks(probe: ProbeDocker, volumes: VolumeStore): Promise<boolean> {
  const id = `probe-${randomUUID()}`;
  try {
    await volumes.make(id, { bytes: DISK_BYTES_MIN });
    const mount = { source: await volumes.attach(id, id), path: "/volume" };
    await writeFile(path.join(mount.source, "probe"), programFor(probe), { mode: 0o755 });
    return (await failureOf(() => runProbe(probe, { hasDisks: false, mounts: [mount] }))) === undefined;
  } catch {
    return false;
  } finally {
    await volumes.remove(id);
  }
}

interface Trial {
  hasDisks: boolean;
  mounts?: readonly VolumeMount[];
}

async function runProbe(probe: ProbeDocker, { hasDisks, mounts = [] }: Trial): Promise<void> {
  const { engine, image, installation, processLimits } = probe;
  const id = `probe-${randomUUID()}`;
  const name = `svc-${installation}-${id}`;
  const allocation: Pick<Allocation, "id" | "limits" | "network"> = { id, limits: LIMITS, network: "none" };
  const command = [`${mounts[0]?.path ?? ""}/probe`];
  const program = { command, env: [], user: "", workingDir: "/", stopSignal: "SIGTERM" as const };
  const body = containerSpec({
    allocation,
    program,
    image,
    processLimits,
    hasDisks,
    readOnly: [],
    gpuDriver: undefined,
    mounts,
    labels: { "svc.probe": installation },
  });
  try {
    await engine.json({ path: `/containers/create?name=${name}`, method: "POST", body });
    await expectReadable(engine, name);
    await engine.text({ path: `/containers/${name}/start`, method: "POST" });
    await expectExit(engine, name);
  } finally {
    await deleteContainer(engine, name, { force: true });
  }
}

async function expectReadable(engine: EngineClient, name: string): Promise<void> {
  const folder = await upperFolderOf(engine, name);
  try {
    await readdir(folder);
  } catch (cause) {
    throw new Error(
      "svc cannot read the files of its containers, which needs the root user on the node of the engine",
      {
        cause,
      },
    );
  }
}

async function expectExit(engine: EngineClient, name: string): Promise<void> {
  for (const end = performance.now() + EXIT_WAIT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const { State } = await engine.json<InspectedContainer>({ path: `/containers/${name}/json` });
    if (State.Status !== "exited" && State.Status !== "stopped") continue;
    if (State.ExitCode === PROBE_EXIT_CODE) return;
    throw new Error("a program that only exits did not exit as it should");
  }
  throw new Error("a program that only exits did not exit");
}

async function failureOf(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
