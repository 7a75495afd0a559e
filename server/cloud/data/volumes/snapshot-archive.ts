import { pipeline, Readable, Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { VolumeSnapshot } from "../../../engines/postgres/generated/client";
import { randomBase32 } from "../../../kernel/ids";

/** What was stored of the files of a volume. */
export interface StoredArchive {
  /** The last part of the name of the blob. */
  blob: string;
  /** Of the archive, and of the blob, which is compressed. */
  sizeBytes: number;
  storedBytes: number;
}

type Named = Pick<VolumeSnapshot, "id" | "tenantId" | "volumeId">;

const SUFFIX_LENGTH = 10;
/** Most files of models are hardly compressible; the fastest level costs the node least. */
const GZIP_LEVEL = 1;

export const blobName = ({ tenantId, volumeId }: Omit<Named, "id">, blob: string): string =>
  `${tenantId}/${volumeId}/${blob}`;

/**
 * Stores an archive, compressed, in constant memory; each time under another name. Throws ArchiveTooLarge, the failure of
 * the archive, and `unavailable` of the storage.
 */
export async function storeArchive(
  blobs: Pick<BlobStore, "put">,
  snapshot: Named,
  { archive, bytesMax }: { archive: Readable; bytesMax: number },
): Promise<StoredArchive> {
  const blob = `${snapshot.id}.${randomBase32(SUFFIX_LENGTH)}`;
  let sizeBytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      done(sizeBytes > bytesMax ? new ArchiveTooLarge(bytesMax) : null, chunk);
    },
  });
  // A failure destroys the last stream with it, which `put` then throws.
  const packed = pipeline(archive, counter, createGzip({ level: GZIP_LEVEL }), () => undefined);
  const { size } = await blobs.put(blobName(snapshot, blob), packed);
  return { blob, sizeBytes, storedBytes: size };
}

/** The archive that was stored, verified as it is read. The stream fails as `read` of the storage throws. */
export const readArchive = (blobs: Pick<BlobStore, "read">, snapshot: Named & StoredArchiveName): Readable =>
  pipeline(
    Readable.from(blobs.read(blobName(snapshot, snapshot.blob), { size: Number(snapshot.storedBytes) })),
    createGunzip(),
    () => undefined,
  );

interface StoredArchiveName {
  blob: string;
  storedBytes: bigint;
}

export class ArchiveTooLarge extends Error {
  constructor(readonly bytesMax: number) {
    super(`The archive of the files is larger than ${bytesMax / 1024 ** 3} GiB; holes of sparse files count.`);
    this.name = "ArchiveTooLarge";
  }
}
