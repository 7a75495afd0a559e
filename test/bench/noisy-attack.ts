import type { HostileClient } from "./noisy-client";
import type { HostileImages } from "./noisy-images";

/** What one hostile tenant does until it is stopped. */
export interface Attack {
  /** Its number in SVC_BENCH_HOSTILE. */
  id: string;
  label: string;
  /** In how many projects it has a key; default 1. */
  projects?: number;
  needsPods?: boolean;
  run(tools: AttackTools): Promise<void>;
}

export interface AttackTools {
  client: HostileClient;
  /** One of each project; the first is `client`. */
  clients: readonly HostileClient[];
  /** undefined: no pods can run here. */
  images: HostileImages | undefined;
}

const POLL_MS = 500;

/** The id of a pod that runs `script` in the image with programs; undefined if it does not start before the end. */
export async function runningPod({ client, images }: AttackTools, script: string): Promise<string | undefined> {
  const body = { image: images?.programs, command: ["/bin/sh", "-c", script], memory_mb: 64 };
  while (!client.signal.aborted) {
    const { id } = (await client.call("/v1/pods", { body })).body;
    for (let status = "pending"; id && !client.signal.aborted; ) {
      if (status === "ready") return id;
      if (status !== "pending") break;
      await client.wait(POLL_MS);
      status = (await client.call(`/v1/pods/${id}`)).body.status ?? status;
    }
    await client.wait(POLL_MS);
  }
  return undefined;
}

/** A shell that ends when it is asked to. */
export const FOREVER = 'trap "exit 0" TERM; while :; do sleep 0.2; done';
