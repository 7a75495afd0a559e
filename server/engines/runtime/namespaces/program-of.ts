import os from "node:os";
import type { ImageConfig } from "../oci/image-documents";
import { type Allocation, RuntimeError } from "../runtime";
import { volumePathProblem, volumePathsProblem } from "../volume-path";

/** What runs in a workload: its image's defaults with the changes of the allocation. */
export interface WorkloadProgram {
  command: readonly string[];
  /** `NAME=value`; a later one replaces an earlier one of the same name. */
  env: readonly string[];
  user: string;
  workingDir: string;
  stopSignal: NodeJS.Signals;
}

/** A smaller one has no space for its journal. */
export const DISK_BYTES_MIN = 16 * 1024 * 1024;
/** Below the largest file of common file systems. */
const DISK_BYTES_MAX = 4 * 1024 ** 4;
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const HOSTNAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
const GPU_UUID = /^GPU-[0-9A-Za-z-]{1,90}$/;
const GPUS_MAX = 64;
const ENV_BYTES_MAX = 64 * 1024;
const COMMAND_BYTES_MAX = 128 * 1024;
const LOG_BYTES_MIN = 64 * 1024;
const LOG_BYTES_MAX = 1024 ** 3;

/** Throws `image_invalid` if neither the image nor the allocation names a program. */
export function programOf(image: ImageConfig, allocation: Allocation): WorkloadProgram {
  const { command = [...image.entrypoint, ...(allocation.args ?? image.cmd)], env = {} } = allocation;
  if (command.length === 0) {
    throw new RuntimeError("image_invalid", `${allocation.image.reference} names no program: set a command.`);
  }
  const program = {
    command,
    env: [...image.env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
    user: allocation.user ?? image.user,
    workingDir: allocation.workingDir ?? image.workingDir,
    stopSignal: signalOf(image.stopSignal),
  };
  const texts = [...command, ...program.env, program.user, program.workingDir];
  if (texts.some((text) => text.includes("\0"))) throw invalid("no text may contain a NUL character");
  if (!program.workingDir.startsWith("/")) throw invalid("the working directory must be an absolute path");
  return program;
}

/** Throws `invalid_allocation` for what could not be started whatever the image is. */
export function checkAllocation(allocation: Allocation): void {
  const { id, hostname, command = [], args = [], env = {}, logBytesMax, limits, gpus = [] } = allocation;
  if (!ID.test(id)) throw invalid("the id must be 1 to 64 characters of a-z, 0-9, _ and -");
  if (gpus.length > GPUS_MAX || new Set(gpus).size !== gpus.length || !gpus.every((uuid) => GPU_UUID.test(uuid)))
    throw invalid(`gpus must be at most ${GPUS_MAX} different UUIDs`);
  if (hostname !== undefined && !HOSTNAME.test(hostname)) throw invalid("the host name is not valid");
  if (Object.keys(env).some((name) => name === "" || name.includes("=")))
    throw invalid("a variable has an invalid name");
  const bytes = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  if (bytes(Object.entries(env).flat()) > ENV_BYTES_MAX) throw invalid(`the variables exceed ${ENV_BYTES_MAX} bytes`);
  if (bytes([...command, ...args]) > COMMAND_BYTES_MAX) throw invalid(`the command exceeds ${COMMAND_BYTES_MAX} bytes`);
  for (const [name, limit] of Object.entries({ ...limits })) {
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
      throw invalid(`${name} must be a positive whole number`);
  }
  const { diskBytes = DISK_BYTES_MIN } = limits ?? {};
  if (diskBytes < DISK_BYTES_MIN || diskBytes > DISK_BYTES_MAX) {
    throw invalid(`diskBytes must be ${DISK_BYTES_MIN} to ${DISK_BYTES_MAX}`);
  }
  const paths = (allocation.volumes ?? []).map(({ path }) => path);
  const pathProblem = paths.map(volumePathProblem).find((one) => one !== undefined) ?? volumePathsProblem(paths);
  if (pathProblem !== undefined) throw invalid(`the path of a volume: ${pathProblem}`);
  if (logBytesMax !== undefined && !(logBytesMax >= LOG_BYTES_MIN && logBytesMax <= LOG_BYTES_MAX)) {
    throw invalid(`logBytesMax must be ${LOG_BYTES_MIN} to ${LOG_BYTES_MAX}`);
  }
}

/** OCI allows a name with or without `SIG`, and a number. */
function signalOf(text: string): NodeJS.Signals {
  const signals = Object.entries(os.constants.signals);
  const wanted = text.toUpperCase();
  const found = signals.find(
    ([name, number]) => name === wanted || name === `SIG${wanted}` || String(number) === wanted,
  );
  return (found?.[0] ?? "SIGTERM") as NodeJS.Signals;
}

const invalid = (why: string): RuntimeError =>
  new RuntimeError("invalid_allocation", `The allocation is invalid: ${why}.`);
