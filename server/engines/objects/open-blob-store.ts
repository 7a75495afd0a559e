import path from "node:path";
import type { BlobStore } from "./blob-store";
import { FileBlobStore } from "./file-blob-store";
import { S3BlobStore } from "./s3-blob-store";
import type { S3Settings } from "./s3-client";

const DISK_SHARE_DEFAULT = 0.95;

export interface BlobStoreSettings {
  dataDir: string;
  /** How much of the disk of the files may be in use, by all files on it: 0 to 1, by default 0.95. */
  objectsDiskShare?: number | undefined;
  /** An external object store; undefined: files in the data directory. */
  s3?: S3Settings | undefined;
}

/** The folder of the blobs of the files engine. */
export const blobsFolder = (dataDir: string): string => path.join(path.resolve(dataDir), "objects");

/** Opens the engine of object storage that the configuration names: files by default. */
export async function openBlobStore({ dataDir, objectsDiskShare, s3 }: BlobStoreSettings): Promise<BlobStore> {
  if (s3) return new S3BlobStore(s3);
  return FileBlobStore.open({ root: blobsFolder(dataDir), diskShare: objectsDiskShare ?? DISK_SHARE_DEFAULT });
}
