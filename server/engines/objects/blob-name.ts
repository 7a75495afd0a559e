const PART = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}";
const NAME = new RegExp(`^${PART}/${PART}/${PART}$`);

export const isBlobName = (name: string): boolean => NAME.test(name);

/** The parts of a blob's name. Throws an `Error` for a name that no blob can have, such as one with `..`. */
export function parseBlobName(name: string): { tenantId: string; bucketId: string; blobId: string } {
  const [tenantId, bucketId, blobId] = name.split("/");
  if (!isBlobName(name) || tenantId === undefined || bucketId === undefined || blobId === undefined) {
    throw new Error(`"${name.slice(0, 200)}" is not the name of a blob: <tenant id>/<bucket id>/<blob id>.`);
  }
  return { tenantId, bucketId, blobId };
}
