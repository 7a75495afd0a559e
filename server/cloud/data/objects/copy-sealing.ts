import { openContent, sealContent } from "../../../engines/objects/sealed-content";
import { dataKeyOf, newSealing, rewrapped, type StoredEncryption } from "./encryption";
import type { ObjectStore } from "./object-store";
import type { AskedEncryption } from "./objects";
import type { blobsOf, VersionRow } from "./version-row";

/** Stores a copy of a blob under another name. */
export type CopyBlob = (from: ReturnType<typeof blobsOf>[number], to: string) => Promise<unknown>;

interface Copied {
  encryption: StoredEncryption | null;
  /** Absent: the bytes are copied as they are stored. */
  copy?: CopyBlob;
}

/**
 * How a copy of a version is encrypted, and how its blobs are copied: what is encrypted with keys of this installation
 * stays so with the same data key, everything else is read and written again. Throws as `dataKeyOf` does.
 */
export function copySealing(
  { blobs, rootKeys }: Pick<ObjectStore, "blobs" | "rootKeys">,
  { encryption }: Pick<VersionRow, "encryption">,
  { customerKey, asked }: { customerKey: Buffer | undefined; asked: AskedEncryption | undefined },
): Copied {
  const before = dataKeyOf(rootKeys, encryption, customerKey);
  if (!encryption && asked === undefined) return { encryption: null };
  if (rootKeys && encryption?.algorithm === "AES256" && asked === "AES256")
    return { encryption: rewrapped(rootKeys, encryption) ?? encryption };
  const sealing = newSealing(rootKeys, asked);
  const copy: CopyBlob = ({ name, size, content }, to) => {
    const read = (range?: { start: number; end: number }) => blobs.read(name, range ? { size, range } : { size });
    const plain = before
      ? openContent({ name, size: content, dataKey: before, read }, { start: 0, end: content })
      : read();
    return blobs.put(to, sealing ? sealContent(plain, sealing.dataKey) : plain);
  };
  return { encryption: sealing?.stored ?? null, copy };
}
