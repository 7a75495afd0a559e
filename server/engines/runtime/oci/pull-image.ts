import { pipeline, type Readable } from "node:stream";
import type { AddressPolicy } from "../../address-policy";
import type { Network } from "../../guarded-fetch";
import { type ImageSource, RuntimeError } from "../runtime";
import { decompressorOf } from "./decompress";
import { readHostImage } from "./host-image";
import { HOST_IMAGE_REGISTRY, isHostImage, recipeOf } from "./host-images";
import {
  chooseManifest,
  type Descriptor,
  type ImageConfig,
  isIndex,
  MANIFEST_TYPES,
  type Manifest,
  parseConfig,
  parseManifest,
} from "./image-documents";
import { parseImageReference } from "./image-reference";
import type { LayerCache, LayerLease } from "./layer-cache";
import type { OverlayMark } from "./layer-marks";
import { keyOfLayers, type LayerOrigin, originOf } from "./layer-origin";
import type { PullTurn, PullTurns } from "./pull-turns";
import { RegistryClient } from "./registry-client";
import { UnpackBudget } from "./unpack-budget";
import { type UnpackLimits, unpackLayer } from "./unpack-layer";
import { VerifyContent, VerifyDiff } from "./verify-content";

export interface FindParts {
  /** Which registries may be asked. */
  policy: AddressPolicy;
  network?: Network | undefined;
  /** `amd64`, `arm64`. */
  architecture: string;
  limits: ImageLimits;
  /** Of all pulls of the node. */
  turns: PullTurns;
}

export interface PullParts extends FindParts {
  cache: LayerCache;
  idBase: number | undefined;
  writeMarks: (root: string, marks: readonly OverlayMark[]) => Promise<void>;
}

export interface ImageLimits extends UnpackLimits {
  /** Of all layers as they are downloaded. */
  downloadBytesMax: number;
}

/** An image whose layers stay on the disk until it is released. */
export interface PulledImage {
  config: ImageConfig;
  /** The lowest first. */
  layers: readonly LayerLease[];
  /** Of the layers as they are downloaded, those that were not in the cache. */
  pulledBytes: number;
  release(): void;
}

/** An image that its registry has for this node. */
export interface FoundImage {
  registry: RegistryClient;
  origin: LayerOrigin;
  /** The image's name, for messages. */
  image: string;
  config: ImageConfig;
  /** The lowest first. */
  layers: readonly Descriptor[];
  budget: UnpackBudget;
  /** Whom its layers are counted for. */
  owner: string;
}

interface Find extends FindParts, Pick<FoundImage, "registry" | "image"> {}

/** Few, because each one occupies threads for files and decompression. */
const LAYERS_AT_ONCE = 3;
/** An index can name another one. */
const INDEX_DEPTH_MAX = 4;

/**
 * Gets an image from its registry; layers that the cache has of the same origin are not downloaded again. The registry
 * is always asked for the manifest and the configuration, so that an image is only available to those who may read it
 * there. Rejects with RuntimeError, or the reason of `signal`.
 */
export async function pullImage(source: ImageSource, parts: PullParts, signal: AbortSignal): Promise<PulledImage> {
  if (isHostImage(source.reference)) return makeHostImage(source.reference, parts, signal);
  return parts.turns.run(source, signal, async (turn) => leaseImage(parts, await findImage(source, parts, turn)));
}

async function leaseImage(parts: PullParts, found: FoundImage): Promise<PulledImage> {
  const leased = await leaseLayers(parts, found);
  const layers = leased.map(({ lease }) => lease);
  const pulledBytes = leased.reduce((sum, layer) => sum + layer.pulledBytes, 0);
  return { config: found.config, layers, pulledBytes, release: () => releaseAll(layers) };
}

/** An image of programs of this node; its layer is made once. */
async function makeHostImage(reference: string, parts: PullParts, signal: AbortSignal): Promise<PulledImage> {
  const { config, digest, tar } = await readHostImage(recipeOf(reference));
  const origin = { registry: HOST_IMAGE_REGISTRY, repository: reference, reader: null };
  const key = keyOfLayers(origin, [{ mediaType: "", digest, size: 0 }]);
  const lease = await parts.cache.lease(
    { key, owner: "" },
    (folder) => fillLayer(parts, { tar: tar(), folder }),
    signal,
  );
  return { config, layers: [lease], pulledBytes: 0, release: () => lease.release() };
}

/** Asks the registry what an image consists of, without its layers. Rejects as `pullImage` does. */
export async function findImage(source: ImageSource, parts: FindParts, turn: PullTurn): Promise<FoundImage> {
  const { reference, credentials } = source;
  if (isHostImage(reference))
    throw new RuntimeError("image_not_found", `${reference} is made by the runtime "namespaces" alone.`);
  const image = parseImageReference(reference);
  const { policy, network } = parts;
  const { signal, pace } = turn;
  const registry = new RegistryClient(image, { policy, network, credentials, signal, pace });
  const find = { ...parts, registry, image: image.text };
  const manifest = await manifestOf(find);
  const origin = originOf(image, source);
  const budget = new UnpackBudget(parts.limits.bytesMax, turn);
  const { owner } = turn;
  const config = await configOf(find, manifest.config);
  const layers = withDiffIds(manifest.layers, { config, image: image.text });
  return { registry, origin, image: image.text, owner, config, layers, budget };
}

/**
 * Passes the uncompressed archive of a layer to `use`, whose result is only returned if the archive is what the
 * descriptor says. Rejects with RuntimeError, or the reason of the signal of the turn.
 */
export async function readLayer<T>(
  { registry, image, budget }: FoundImage,
  descriptor: Descriptor,
  use: (tar: Readable) => Promise<T>,
): Promise<T> {
  const decompressor = decompressorOf(descriptor.mediaType, image);
  const verified = new VerifyContent({ expected: descriptor, image, onBytes: (bytes) => budget.receive(bytes) });
  const unpacked = [...(decompressor ? [decompressor] : []), budget.limit(), ...diffOf(descriptor, image)];
  const stages = [await registry.blob(descriptor), verified, ...unpacked];
  const { signal } = registry.access;
  // Also what has arrived and is not unpacked yet.
  const stop = () => stages.at(-1)?.destroy(new Error("The pull has ended."));
  signal.addEventListener("abort", stop, { once: true });
  try {
    const result = await use(pipeline(stages, () => {}) as unknown as Readable);
    verified.assertVerified();
    return result;
  } catch (cause) {
    signal.throwIfAborted();
    throw named(cause, { image, registry: registry.image.registry });
  } finally {
    signal.removeEventListener("abort", stop);
    for (const stage of stages) stage.destroy();
  }
}

/** What compares the archive with the digest that the configuration says. */
const diffOf = ({ diffId }: Descriptor, image: string): VerifyDiff[] =>
  diffId === undefined ? [] : [new VerifyDiff(diffId, image)];

/** Throws `image_invalid` if the configuration has other layers than the manifest. */
function withDiffIds(
  layers: readonly Descriptor[],
  { config: { diffIds }, image }: { config: ImageConfig; image: string },
): readonly Descriptor[] {
  if (!diffIds) return layers;
  if (diffIds.length === layers.length) return layers.map((layer, i) => ({ ...layer, diffId: diffIds[i] }));
  const counts = `${layers.length} layers, and its configuration ${diffIds.length}`;
  throw new RuntimeError("image_invalid", `The manifest of ${image} has ${counts}.`);
}

async function manifestOf({ registry, image, architecture, limits }: Find): Promise<Manifest> {
  let found = await registry.manifest(registry.image.version);
  for (let depth = 0; isIndex(found.mediaType) && depth < INDEX_DEPTH_MAX; depth++)
    found = await registry.manifest(chooseManifest(found.text, { architecture, image }));
  const { text, mediaType } = found;
  if (isIndex(mediaType) || !(MANIFEST_TYPES as readonly string[]).includes(mediaType)) {
    throw new RuntimeError(
      "image_unsupported",
      `${image} has a manifest of the unsupported type ${mediaType.slice(0, 255)}.`,
    );
  }
  const manifest = parseManifest(text, image);
  const bytes = manifest.layers.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= limits.downloadBytesMax) return manifest;
  throw new RuntimeError(
    "image_too_large",
    `${image} has ${bytes} bytes, and the limit is ${limits.downloadBytesMax}.`,
  );
}

async function configOf({ registry, image, architecture }: Find, descriptor: Descriptor): Promise<ImageConfig> {
  const config = parseConfig(await registry.document(descriptor), image);
  if (config.architecture === architecture) return config;
  throw new RuntimeError(
    "image_unsupported",
    `${image} is for ${config.architecture}, and this node is ${architecture}.`,
  );
}

export interface LeasedLayer {
  lease: LayerLease;
  /** As it is downloaded; 0 if it was in the cache, and not if another pull was just downloading it. */
  pulledBytes: number;
}

/** A layer of an image, which is downloaded unless the cache has it. Rejects as `readLayer` does. */
export async function leaseLayer(parts: PullParts, found: FoundImage, descriptor: Descriptor): Promise<LeasedLayer> {
  const key = keyOfLayers(found.origin, [descriptor]);
  let isThere = await parts.cache.has(key);
  const fill = (folder: string) => {
    isThere = false;
    return readLayer(found, descriptor, (tar) => fillLayer(parts, { tar, folder }));
  };
  const lease = await parts.cache.lease({ key, owner: found.owner }, fill, found.registry.access.signal);
  return { lease, pulledBytes: isThere ? 0 : descriptor.size };
}

async function leaseLayers(parts: PullParts, found: FoundImage): Promise<LeasedLayer[]> {
  const leased: LeasedLayer[] = [];
  const pending = found.layers.map((descriptor, index) => ({ descriptor, index }));
  const work = async () => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      const { descriptor, index } = next;
      leased[index] = await leaseLayer(parts, found, descriptor);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: LAYERS_AT_ONCE }, work));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return leased;
  releaseAll(leased.filter(Boolean).map(({ lease }) => lease));
  throw failed.reason;
}

async function fillLayer(
  { limits, idBase, writeMarks }: PullParts,
  { tar, folder }: { tar: Readable; folder: string },
): Promise<number> {
  const { bytes, marks } = await unpackLayer(tar, { root: folder, limits, idBase });
  await writeMarks(folder, marks);
  return bytes;
}

/** The failure of a layer, with the image that it belongs to. */
function named(cause: unknown, { image, registry }: { image: string; registry: string }): Error {
  if (cause instanceof RuntimeError) {
    return cause.message.includes(image)
      ? cause
      : new RuntimeError(cause.reason, `${image}: ${cause.message}`, { cause });
  }
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new RuntimeError("image_too_large", `${image} does not fit on the disk of this node.`, { cause });
  }
  if (code.startsWith("Z_"))
    return new RuntimeError("image_invalid", `A layer of ${image} is not valid gzip.`, { cause });
  return new RuntimeError(
    "registry_unreachable",
    `${image} could not be downloaded from ${registry}: ${code || "the connection was lost"}.`,
    { cause },
  );
}

const releaseAll = (leases: readonly LayerLease[]): void => {
  for (const lease of leases) lease.release();
};
