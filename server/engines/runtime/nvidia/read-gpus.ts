import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type GpuDriver, NODE_DRIVER } from "./gpu-driver";

/** A GPU as `nvidia-smi` reports it. */
export interface DetectedGpu {
  index: number;
  uuid: string;
  name: string;
  memory_mb: number;
  /** Why no pod may have it; null: nothing is wrong with it. */
  problem: string | null;
}

const FIELDS = [
  "index",
  "uuid",
  "name",
  "memory.total",
  "mig.mode.current",
  "ecc.errors.uncorrected.volatile.total",
  "retired_pages.pending",
];
const QUERY = [`--query-gpu=${FIELDS.join(",")}`, "--format=csv,noheader,nounits"];
const TEXT_MAX = 100;
const TIMEOUT_MS = 30_000;
/** What nvidia-smi prints in place of a value when the driver has lost a GPU, as after an Xid error. */
const LOST = /unknown error|gpu is lost|requires reset|^\[?ERR!?\]?$/i;

/** The GPUs that `nvidia-smi` reports; none without it. Throws an Error if it is there and fails. */
export async function readGpus({ nvidiaSmi }: Pick<GpuDriver, "nvidiaSmi"> = NODE_DRIVER): Promise<DetectedGpu[]> {
  try {
    const { stdout } = await promisify(execFile)(nvidiaSmi, QUERY, { timeout: TIMEOUT_MS, killSignal: "SIGKILL" });
    return parseGpus(stdout);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`${nvidiaSmi} failed: ${cause instanceof Error ? cause.message.trim() : String(cause)}`, { cause });
  }
}

/** One GPU per line, with memory in MiB. Lines without an index or a UUID are left out. */
export const parseGpus = (csv: string): DetectedGpu[] =>
  csv.split("\n").flatMap((line) => {
    const fields = line.split(",").map((field) => field.trim());
    const [index = "", uuid = "", name = "", memory = ""] = fields;
    if (!/^\d+$/.test(index) || !uuid.startsWith("GPU-")) return [];
    return [{ index: Number(index), uuid, name, memory_mb: Number(memory) || 0, problem: problemOf(fields) }];
  });

/** Fields that a GPU does not have are `[N/A]`. */
function problemOf(fields: readonly string[]): string | null {
  const [mig = "", ecc = "", retired = ""] = fields.slice(4);
  const lost = fields.find((field) => LOST.test(field));
  if (lost !== undefined) return `nvidia-smi reports ${lost.slice(0, TEXT_MAX)}`;
  if (mig === "Enabled") return "MIG is enabled";
  if (Number(ecc) > 0) return `it had ${ecc} uncorrected ECC errors since the driver was loaded`;
  return retired === "Yes" ? "pages of its memory are to be retired, which needs a reset" : null;
}
