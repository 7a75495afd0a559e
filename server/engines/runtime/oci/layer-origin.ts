import { createHash } from "node:crypto";
import type { ImageSource } from "../runtime";
import type { Descriptor } from "./image-documents";
import type { ImageReference } from "./image-reference";

/** Where the bytes of layers come from, and who may use those that are kept. */
export interface LayerOrigin extends Pick<ImageReference, "registry" | "repository"> {
  /** Who has opened it with credentials; null: everybody may read it there. */
  reader: string | null;
}

export const originOf = (
  { registry, repository }: ImageReference,
  { credentials, owner = "" }: ImageSource,
): LayerOrigin => ({ registry, repository, reader: credentials ? owner : null });

/**
 * Names layers that are kept, in the form of a digest. A digest alone is no right to the bytes: a registry of one tenant
 * can put the digest of another's private layer into its manifests, and answer whatever it is asked about it. So a layer
 * is only used again for the repository that has delivered it, and for the owner whose credentials have opened it.
 */
export const keyOfLayers = ({ registry, repository, reader }: LayerOrigin, layers: readonly Descriptor[]): string => {
  const contents = layers.map(({ mediaType, digest, diffId }) => [mediaType, digest, ...(diffId ? [diffId] : [])]);
  const name = JSON.stringify([registry, repository, reader, contents]);
  return `sha256:${createHash("sha256").update(name).digest("hex")}`;
};
