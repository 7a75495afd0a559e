import { Readable } from "node:stream";
import { pause } from "../../../kernel/pause";
import type { LogOptions } from "../runtime";
import { type ApiCall, type KubernetesApi, KubernetesError } from "./kubernetes-api";
import { WORKLOAD_CONTAINER } from "./object-names";

export interface ReadPodLogs extends LogOptions {
  api: KubernetesApi;
  /** Of the pod. */
  path: string;
  hasEnded: () => Promise<boolean>;
}

const RETRY_MS = 500;
/** The largest `Allocation.logBytesMax`. A workload may write faster than its output is read. */
const KEPT_BYTES_MAX = 1024 ** 3;

/**
 * The output of a workload as the kubelet keeps it. The API has no position in bytes: with `tailBytes` the output is read
 * once to count it, and a connection that was cut is followed by one that skips what was read.
 */
export function readPodLogs(options: ReadPodLogs): Readable {
  const destroyed = new AbortController();
  const output = Readable.from(read(options, destroyed.signal), { objectMode: false });
  return output.once("close", () => destroyed.abort());
}

async function* read(options: ReadPodLogs, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { follow = false, tailBytes, hasEnded } = options;
  let position = tailBytes === undefined ? 0 : Math.max(0, (await countBytes(options, signal)) - tailBytes);
  const end = follow ? Number.POSITIVE_INFINITY : position + (tailBytes ?? KEPT_BYTES_MAX);
  for (let wasLast = !follow; ; ) {
    try {
      for await (const chunk of from(options, position, signal)) {
        const part = chunk.subarray(0, end - position);
        position += part.length;
        yield part;
        if (position === end) return;
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (!follow) throw cause;
    }
    if (wasLast) return;
    // What was written between the last byte and the end is read in one more round.
    wasLast = await hasEnded();
    if (!wasLast) await pause(RETRY_MS, signal);
    if (signal.aborted) return;
  }
}

async function countBytes(options: ReadPodLogs, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const chunk of from({ ...options, follow: false }, 0, signal)) {
    bytes += chunk.length;
    if (bytes > KEPT_BYTES_MAX) break;
  }
  return bytes;
}

async function* from(options: ReadPodLogs, skip: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { api, path, follow = false } = options;
  const call: ApiCall = { path: `${path}/log`, query: { container: WORKLOAD_CONTAINER, follow } };
  let left = skip;
  const stream = await api.stream(call, signal).catch(noneIfNotStarted);
  if (!stream) return;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const rest = chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
    if (rest.length > 0) yield rest;
  }
}

/** A pod that does not exist, or whose workload has not started, has no output. */
function noneIfNotStarted(cause: unknown): undefined {
  if (cause instanceof KubernetesError && (cause.status === 404 || cause.status === 400)) return undefined;
  throw cause;
}
