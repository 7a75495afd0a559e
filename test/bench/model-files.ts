import { createReadStream, type ReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { ModelSource, ModelTarget } from "../../server/cloud/data/models/conversion";
import { seededRandom } from "./seeded-random";

const MIB = 1024 ** 2;
const TENSOR_MIB = 32;
/** Random values, which are repeated. */
const BLOCK_MIB = 16;
const BYTES = { F64: 8, F32: 4, F16: 2, BF16: 2 };

export type ModelDtype = keyof typeof BYTES;

/** Writes a model of `mib` MiB in tensors of 32 MiB, with weights as networks have them: small, of both signs. */
export async function makeModel(file: string, { mib, dtype }: { mib: number; dtype: ModelDtype }): Promise<void> {
  const count = Math.ceil(mib / TENSOR_MIB);
  const size = TENSOR_MIB * MIB;
  const entries = Array.from({ length: count }, (_, i) => {
    const entry = { dtype, shape: [size / BYTES[dtype]], data_offsets: [i * size, (i + 1) * size] };
    return [`layers.${i}.weight`, entry] as const;
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const handle = await open(file, "w");
  try {
    await handle.write(Buffer.concat([length, header]));
    const block = weights(dtype);
    for (let written = 0; written < count * TENSOR_MIB; written += BLOCK_MIB) await handle.write(block);
  } finally {
    await handle.close();
  }
}

function weights(dtype: ModelDtype): Uint8Array {
  const random = seededRandom(3);
  const count = (BLOCK_MIB * MIB) / BYTES[dtype];
  const values = Float64Array.from({ length: count }, () => (random() + random() + random() - 1.5) / 20);
  if (dtype === "F64") return new Uint8Array(values.buffer);
  const narrow = Float32Array.from(values);
  if (dtype === "F32") return new Uint8Array(narrow.buffer);
  const bits = new Uint32Array(narrow.buffer);
  // Cut off, not rounded: any weights do.
  const halves = Uint16Array.from(bits, (each) =>
    dtype === "BF16"
      ? each >>> 16
      : ((each >>> 16) & 0x8000) | ((((each & 0x7fff_ffff) - 0x3800_0000) >>> 13) & 0x7fff),
  );
  return new Uint8Array(halves.buffer);
}

export async function fileSource(file: string): Promise<ModelSource> {
  const { size } = await stat(file);
  return {
    size,
    read: (from, to): ReadStream => createReadStream(file, { start: from, end: to - 1, highWaterMark: 512 * 1024 }),
  };
}

/** Files in a folder; complete when they have their name. */
export const folderTarget = (dir: string): ModelTarget => ({
  put: async (...[name, , body]) => {
    const draft = path.join(dir, `${name}.draft`);
    const handle = await open(draft, "w");
    try {
      for await (const chunk of body) await handle.write(chunk);
    } finally {
      await handle.close();
    }
    await rename(draft, path.join(dir, name));
    return {};
  },
  exists: async (name, size) => {
    const found = await stat(path.join(dir, name)).catch(() => undefined);
    return found?.size === size;
  },
  remove: async (names) => {
    for (const name of names) await rm(path.join(dir, name), { force: true });
  },
});
