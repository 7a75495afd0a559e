import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { LayerCache } from "../../server/engines/runtime/oci/layer-cache";
import { type PullParts, pullImage } from "../../server/engines/runtime/oci/pull-image";
import { type PullPace, PullTurns } from "../../server/engines/runtime/oci/pull-turns";
import type { ImageSource } from "../../server/engines/runtime/runtime";
import { systemClock } from "../../server/kernel/clock";
import { HOST_ARCHITECTURE, startRegistryDouble } from "./registry-double";
import { LOOPBACK } from "./runtime-scene";

export interface PullScene {
  registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  parts: PullParts;
  pull(source: ImageSource, signal?: AbortSignal): ReturnType<typeof pullImage>;
  close(): Promise<void>;
}

export interface PullSceneOptions {
  pace?: PullPace;
  /** Of the cache, and so of one image. */
  bytesMax?: number;
}

/** Pulls of one node into an empty cache, and a registry. */
export async function pullScene({ pace, bytesMax = 1024 ** 3 }: PullSceneOptions = {}): Promise<PullScene> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-pull-"));
  const registry = await startRegistryDouble();
  const cache = new LayerCache({
    dir: path.join(dir, "layers"),
    bytesMax,
    clock: systemClock,
    inUse: async () => new Set<string>(),
    deleteFolder: (folder) => rm(folder, { recursive: true }),
  });
  await cache.open();
  const parts: PullParts = {
    cache,
    policy: LOOPBACK,
    architecture: HOST_ARCHITECTURE,
    turns: new PullTurns(bytesMax, pace),
    idBase: undefined,
    writeMarks: async () => {},
    limits: { downloadBytesMax: bytesMax, bytesMax, entriesMax: 1000 },
  };
  return {
    registry,
    parts,
    pull: (source, signal = new AbortController().signal) => pullImage(source, parts, signal),
    close: async () => {
      await registry.stop();
      await rm(dir, { recursive: true });
    },
  };
}
