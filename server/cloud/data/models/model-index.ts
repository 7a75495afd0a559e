import { createHash } from "node:crypto";
import type { ModelTarget, StoredFile } from "./conversion";
import type { ShardPlan } from "./plan-shards";

export const INDEX_NAME = "model.safetensors.index.json";

/** Writes the index as Hugging Face does: the bytes of all tensors, and the file of each, sorted by name. */
export async function writeIndex(plan: ShardPlan, target: ModelTarget, signal: AbortSignal): Promise<StoredFile> {
  const entries = plan.shards.flatMap(({ name, tensors }) => tensors.map((tensor) => [tensor, name] as const));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const index = { metadata: { total_size: plan.tensorBytes }, weight_map: Object.fromEntries(entries) };
  const bytes = Buffer.from(`${JSON.stringify(index, null, 2)}\n`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const { etag } = await target.put(INDEX_NAME, bytes.length, once(bytes), signal);
  return { name: INDEX_NAME, bytes: bytes.length, sha256, etag };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
