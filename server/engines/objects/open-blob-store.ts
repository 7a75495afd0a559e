import path from "node:path";
import type { Room } from "../disk-space/disk-space";
import type { BlobStore } from "./blob-store";
import { type Tier, tierFolder } from "./blob-tiers";
import { FileBlobStore } from "./file-blob-store";
import { S3BlobStore } from "./s3-blob-store";
import type { S3Settings } from "./s3-client";
import { TieredBlobStore } from "./tiered-blob-store";

const DISK_SHARE_DEFAULT = 0.95;

export interface BlobStoreSettings {
  dataDir: string;
  /** How much of the disk of the files may be in use, by all files on it: 0 to 1, by default 0.95. */
  objectsDiskShare?: number | undefined;
  /** An external object store; undefined: files in the data directory. */
  s3?: S3Settings | undefined;
  /** Of the disk of the files; absent: only `objectsDiskShare` applies. */
  space?: Room | undefined;
}

/** The folder of the blobs of the files engine, with those of the storage classes in it. */
export const blobsFolder = (dataDir: string): string => path.join(path.resolve(dataDir), "objects");

/** Opens the engine of object storage that the configuration names: files by default. */
export async function openBlobStore({ dataDir, objectsDiskShare, s3, space }: BlobStoreSettings): Promise<BlobStore> {
  if (s3) {
    const store = new S3BlobStore(s3);
    return new TieredBlobStore({ hot: store, warm: store, cold: store, archive: store });
  }
  const diskShare = objectsDiskShare ?? DISK_SHARE_DEFAULT;
  const open = (tier: Tier) => FileBlobStore.open({ root: tierFolder(blobsFolder(dataDir), tier), diskShare, space });
  const [hot, warm, cold, archive] = await Promise.all([open("hot"), open("warm"), open("cold"), open("archive")]);
  return new TieredBlobStore({ hot, warm, cold, archive });
}
