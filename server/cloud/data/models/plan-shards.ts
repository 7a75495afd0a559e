import { createHash } from "node:crypto";
import { convertedDtype, DTYPE_BITS, type Dtype, type TargetDtype } from "./dtypes";
import { LENGTH_BYTES, type ModelHeader, type Tensor } from "./parse-header";

const ALIGNMENT = 8;

/** Adjacent tensors of one dtype, converted alike. */
export interface Run {
  from: Dtype;
  to: Dtype;
  /** Of the source. */
  bytes: number;
}

export interface Shard {
  name: string;
  /** Everything before the data. */
  head: Uint8Array<ArrayBuffer>;
  /** Of the whole file. */
  size: number;
  runs: readonly Run[];
  tensors: readonly string[];
}

export interface ShardPlan {
  /** Hex, of the heads of all shards: it differs for another plan. */
  sha256: string;
  shards: readonly Shard[];
  /** Of all tensors after the conversion. */
  tensorBytes: number;
}

/**
 * Divides a model into shards whose largest one is as small as possible while the tensors keep their order; there are
 * never more shards than tensors. The same model and request always have the same plan.
 */
export function planShards(
  { tensors, metadata }: ModelHeader,
  { dtype, shards: count }: { dtype: TargetDtype | undefined; shards: number },
): ShardPlan {
  const converted = tensors.map((tensor) => convert(tensor, dtype));
  const groups = balance(converted, Math.max(1, Math.min(count, tensors.length)));
  const shards = groups.map((group, i) => shardOf(group, nameOf(i, groups.length), metadata));
  const hash = createHash("sha256");
  for (const { head } of shards) hash.update(head);
  return { sha256: hash.digest("hex"), shards, tensorBytes: bytesOf(converted) };
}

interface Converted extends Tensor {
  source: { dtype: Dtype; bytes: number };
}

function convert(tensor: Tensor, target: TargetDtype | undefined): Converted {
  const dtype = convertedDtype(tensor.dtype, target);
  const bytes = dtype === tensor.dtype ? tensor.bytes : (tensor.bytes / DTYPE_BITS[tensor.dtype]) * DTYPE_BITS[dtype];
  return { ...tensor, dtype, bytes, source: { dtype: tensor.dtype, bytes: tensor.bytes } };
}

/** As Hugging Face names shards. */
const nameOf = (index: number, count: number): string =>
  `model-${String(index + 1).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.safetensors`;

/** Exactly `count` groups, each with a tensor if there are any. */
function balance(tensors: readonly Converted[], count: number): Converted[][] {
  const bytesMax = smallestMaximum(tensors, count);
  const groups: Converted[][] = [[]];
  let bytes = 0;
  for (const [i, tensor] of tensors.entries()) {
    const group = groups.at(-1) ?? [];
    const isFull = bytes + tensor.bytes > bytesMax || tensors.length - i === count - groups.length;
    if (group.length > 0 && isFull && groups.length < count) {
      groups.push([tensor]);
      bytes = tensor.bytes;
    } else {
      group.push(tensor);
      bytes += tensor.bytes;
    }
  }
  return groups;
}

/** The least size that suffices for `count` groups, found by halving. */
function smallestMaximum(tensors: readonly Tensor[], count: number): number {
  let low = tensors.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  let high = bytesOf(tensors);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (groupsWithin(tensors, middle) <= count) high = middle;
    else low = middle + 1;
  }
  return high;
}

function groupsWithin(tensors: readonly Tensor[], bytesMax: number): number {
  let groups = 1;
  let filled = 0;
  for (const { bytes } of tensors) {
    if (filled + bytes > bytesMax) {
      groups++;
      filled = 0;
    }
    filled += bytes;
  }
  return groups;
}

function shardOf(group: readonly Converted[], name: string, metadata: ModelHeader["metadata"]): Shard {
  const head = headOf(group, metadata);
  return {
    name,
    head,
    size: head.length + bytesOf(group),
    runs: runsOf(group),
    tensors: group.map((tensor) => tensor.name),
  };
}

/** The length and the header, padded with spaces so that the data is aligned. */
function headOf(group: readonly Tensor[], metadata: ModelHeader["metadata"]): Uint8Array<ArrayBuffer> {
  let end = 0;
  const entries = group.map(({ name, dtype, shape, bytes }) => {
    const start = end;
    end += bytes;
    return [name, { dtype, shape, data_offsets: [start, end] }] as const;
  });
  // Entries, because an assignment to "__proto__" would set no key.
  const named = Object.fromEntries([...(metadata ? [["__metadata__", metadata] as const] : []), ...entries]);
  const json = new TextEncoder().encode(JSON.stringify(named));
  const length = Math.ceil(json.length / ALIGNMENT) * ALIGNMENT;
  const head = new Uint8Array(LENGTH_BYTES + length).fill(0x20);
  new DataView(head.buffer).setBigUint64(0, BigInt(length), true);
  head.set(json, LENGTH_BYTES);
  return head;
}

function runsOf(group: readonly Converted[]): Run[] {
  const runs: Run[] = [];
  for (const { source, dtype } of group) {
    const last = runs.at(-1);
    if (last?.from === source.dtype) last.bytes += source.bytes;
    else runs.push({ from: source.dtype, to: dtype, bytes: source.bytes });
  }
  return runs;
}

const bytesOf = (tensors: readonly Tensor[]): number => tensors.reduce((sum, { bytes }) => sum + bytes, 0);
