import { randomUUID } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cgroups } from "./cgroups";
import { deleteFolder } from "./delete-folder";
import { launchWorkload } from "./launch-workload";
import { PROBE_EXIT_CODE, probeProgram } from "./probe-program";
import { WorkloadFolder } from "./workload-folder";
import type { WorkloadIds } from "./workload-ids";

export interface ProbeNamespaces {
  scripts: string;
  /** An existing folder on the disk that workloads will use. */
  dir: string;
  architecture: string;
  cgroups: Cgroups | undefined;
  ids: WorkloadIds;
}

const EXIT_WAIT_MS = 10_000;
const POLL_MS = 10;

/** Runs a program that only exits, with everything that a workload gets; throws an Error with the reason if it fails. */
export async function probeNamespaces({ scripts, dir, architecture, cgroups, ids }: ProbeNamespaces): Promise<void> {
  const program = probeProgram(architecture);
  if (!program) throw new Error(`the architecture ${architecture} is not supported`);
  const id = `probe-${randomUUID()}`;
  const folder = new WorkloadFolder(path.join(dir, `.${id}`));
  try {
    await makeRoot(folder, program);
    const cgroup = await cgroups?.create(id, {});
    await launchWorkload({
      scripts,
      folder,
      allocation: { id, image: { reference: "probe" }, network: "none" },
      program: { command: ["/probe"], env: [], user: "", workingDir: "/", stopSignal: "SIGTERM" },
      layers: 1,
      mounts: [],
      cgroup,
      ids,
    });
    await expectExit(folder);
  } finally {
    await cgroups?.remove(id);
    await deleteFolder(folder.dir);
  }
}

async function makeRoot(folder: WorkloadFolder, program: Buffer): Promise<void> {
  const layer = path.join(folder.dir, "layer");
  for (const name of ["lower", "data/upper", "data/work", "root", "log", "notices"] as const) {
    await mkdir(folder.file(name), { recursive: true });
  }
  await mkdir(layer);
  await writeFile(path.join(layer, "probe"), program, { mode: 0o755 });
  await symlink(layer, path.join(folder.file("lower"), "0"));
}

async function expectExit(folder: WorkloadFolder): Promise<void> {
  for (const end = performance.now() + EXIT_WAIT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const state = await folder.state();
    if (state.state === "starting" || state.state === "running") continue;
    if (state.state === "exited" && state.exitCode === PROBE_EXIT_CODE) return;
    throw new Error("a program that only exits did not exit as it should");
  }
  throw new Error("a program that only exits did not exit");
}
