import { lstat, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../file-failures";
import { launchSupervisor } from "../launch-supervisor";
import { deleteFolder } from "../namespaces/delete-folder";
import { programOf, type WorkloadProgram } from "../namespaces/program-of";
import type { WorkloadFolder } from "../namespaces/workload-folder";
import type { PrefetchParts } from "../oci/prefetch-image";
import { pullImage } from "../oci/pull-image";
import { ScopedPaths } from "../oci/scoped-paths";
import { type Allocation, RuntimeError, type StartReport } from "../runtime";
import { NOT_KNOWN } from "../workload-life";
import { composeRoot } from "./compose-root";
import { readLayerMarks } from "./layer-marks";
import { asFields, markOf, onHost, variablesOf } from "./process-environment";
import { resolveProgram } from "./resolve-program";

export interface PrepareProcessParts {
  /** The folder of the scripts of this runtime. */
  scripts: string;
  pull: PrefetchParts;
}

export interface PrepareProcess {
  allocation: Allocation;
  folder: WorkloadFolder;
  signal: AbortSignal;
}

const NOTICES = "run/svc";

/** Pulls the image, copies its files and starts its program. On failure the caller removes what exists of it. */
export async function prepareProcess(parts: PrepareProcessParts, preparation: PrepareProcess): Promise<StartReport> {
  const { allocation, folder, signal } = preparation;
  const image = await pullImage(allocation.image, parts.pull, signal);
  try {
    signal.throwIfAborted();
    // A supervisor that an earlier process has just started may have become visible meanwhile.
    if ((await folder.state()).state !== "absent") return NOT_KNOWN;
    // An earlier start may have been interrupted.
    await deleteFolder(folder.dir);
    for (const name of ["root", "log", "notices"] as const) {
      await mkdir(folder.file(name), { recursive: true, mode: 0o700 });
    }
    const layers = image.layers.map(async (layer) => ({
      folder: layer.folder,
      marks: await readLayerMarks(layer.folder),
    }));
    await composeRoot(folder.file("root"), await Promise.all(layers), signal);
    await linkNotices(folder.file("root"));
    signal.throwIfAborted();
    await start(parts, { ...preparation, program: programOf(image.config, allocation) });
    return { pulledBytes: image.pulledBytes };
  } finally {
    image.release();
  }
}

/** Programs find notices below their root, as far as its /run is a folder. */
async function linkNotices(root: string): Promise<void> {
  try {
    await mkdir(path.join(root, "run"), { recursive: true });
    if (!(await lstat(path.join(root, "run"))).isDirectory()) return;
    await symlink("../../notices", path.join(root, NOTICES));
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
  }
}

async function start(
  { scripts, pull }: PrepareProcessParts,
  { allocation, folder, program }: PrepareProcess & { program: WorkloadProgram },
): Promise<void> {
  const { user, workingDir, stopSignal } = program;
  const root = folder.file("root");
  const variables = variablesOf(program.env);
  const view = { root, workingDir, env: variables, architecture: pull.architecture };
  const command = await resolveProgram(program.command, view);
  const cwd = await makeWorkingDir(root, workingDir);
  await folder.writeNotes({ user, workingDir: cwd, stopSignal });
  const fields: [string, string][] = [
    ["mark", markOf(folder.dir)],
    ["cwd", cwd],
    ...command.map((part): [string, string] => ["command", part]),
    ...asFields(onHost(variables, root)),
  ];
  await launchSupervisor({ scripts, folder, logBytesMax: allocation.logBytesMax, fields });
}

/** The working directory below the root, which is made if it is missing. */
async function makeWorkingDir(root: string, workingDir: string): Promise<string> {
  const paths = new ScopedPaths(root, async () => {});
  const file = path.posix.join("/", workingDir, "file");
  try {
    return path.dirname(paths.absolute(await paths.locate(file.slice(1))));
  } catch (cause) {
    throw new RuntimeError("start_failed", `The working directory ${workingDir} is not a folder of the image.`, {
      cause,
    });
  }
}
