import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { z } from "zod";
import type { NodeGpu } from "../cloud/nodes/join-node";

type Gpu = z.infer<typeof NodeGpu>;

const QUERY = ["--query-gpu=index,uuid,name,memory.total", "--format=csv,noheader,nounits"];
const TIMEOUT_MS = 30_000;

/** The GPUs that `nvidia-smi` reports; none without it. Throws an Error if it is there and fails. */
export async function readGpus(program = "nvidia-smi"): Promise<Gpu[]> {
  try {
    const { stdout } = await promisify(execFile)(program, QUERY, { timeout: TIMEOUT_MS });
    return parseGpus(stdout);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`${program} failed: ${cause instanceof Error ? cause.message.trim() : String(cause)}`, { cause });
  }
}

/** One GPU per line, with memory in MiB. */
export const parseGpus = (csv: string): Gpu[] =>
  csv
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [index = "", uuid = "", name = "", memory = ""] = line.split(",").map((field) => field.trim());
      return { index: Number(index), uuid, name, memory_mb: Number(memory) || 0 };
    });
