import { type PrefetchedImage, type PrefetchOptions, RuntimeError } from "../runtime";
import { isHostImage } from "./host-images";
import type { LayerCache, LayerLease } from "./layer-cache";
import type { PrefetchedImages } from "./prefetched-images";
import { findImage, leaseLayer, type PullParts } from "./pull-image";
import type { PullTurn } from "./pull-turns";

export interface PrefetchParts extends PullParts {
  prefetched: PrefetchedImages;
}

/** Puts the layers of a public image into the cache. Rejects as `Runtime.prefetch` does. */
export async function prefetchImage(
  parts: PrefetchParts,
  reference: string,
  options: PrefetchOptions,
): Promise<PrefetchedImage> {
  // Needs no download.
  if (isHostImage(reference)) return { bytes: 0 };
  const { prefetched, cache } = parts;
  const keys = prefetched.partsOf(reference);
  const bytes = keys && (await touchAll(cache, keys));
  if (bytes !== undefined) return { bytes };
  return parts.turns.run({ reference }, options.signal, (turn) =>
    pullLayers(parts, { reference, bytesMax: options.bytesMax, turn }),
  );
}

interface PullLayers {
  reference: string;
  bytesMax: number;
  turn: PullTurn;
}

/** One layer at a time, so that pulls of pods come first. */
async function pullLayers(
  { prefetched, cache, limits, ...parts }: PrefetchParts,
  { reference, bytesMax, turn }: PullLayers,
): Promise<PrefetchedImage> {
  const find = { ...parts, limits: { ...limits, downloadBytesMax: bytesMax, bytesMax } };
  const found = await findImage({ reference }, find, turn);
  const leases: LayerLease[] = [];
  let bytes = 0;
  try {
    for (const descriptor of found.layers) {
      turn.signal.throwIfAborted();
      const layerLimits = { ...find.limits, bytesMax: bytesMax - bytes };
      const { lease } = await leaseLayer({ ...parts, cache, limits: layerLimits }, found, descriptor);
      leases.push(lease);
      bytes += (await cache.touch(lease.key)) ?? 0;
      if (bytes > bytesMax) throw tooLarge(reference, bytesMax);
    }
  } finally {
    for (const lease of leases) lease.release();
  }
  prefetched.note(
    reference,
    leases.map(({ key }) => key),
  );
  return { bytes };
}

/** The bytes of all of them; undefined if one is missing. */
async function touchAll(cache: LayerCache, keys: readonly string[]): Promise<number | undefined> {
  let bytes = 0;
  for (const key of keys) {
    const found = await cache.touch(key);
    if (found === undefined) return undefined;
    bytes += found;
  }
  return bytes;
}

const tooLarge = (reference: string, bytesMax: number): RuntimeError =>
  new RuntimeError("image_too_large", `${reference} needs more than ${bytesMax} bytes.`);
