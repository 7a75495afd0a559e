import type { ObjectVersion } from "../../cloud/data/objects/objects";
import { S3Error } from "./s3-error";
import { tag, type Xml } from "./write-xml";

type Tier = ObjectVersion["tier"];

const CLASSES: Readonly<Record<Tier, string>> = {
  hot: "STANDARD",
  warm: "STANDARD_IA",
  cold: "GLACIER_IR",
  archive: "GLACIER",
};

export const storageClassOf = (tier: Tier): string => CLASSES[tier];

/** The class of svc that S3 gives this name. Throws `InvalidStorageClass`. */
export function tierOfClass(name: string): Tier {
  const found = Object.entries(CLASSES).find(([, each]) => each === name);
  if (found) return found[0] as Tier;
  throw new S3Error("InvalidStorageClass", `The storage classes are ${Object.values(CLASSES).join(", ")}.`);
}

/** The class that a request asks for; without one, that of the bucket applies. */
export function askedTier(headers: ReadonlyMap<string, string>): { tier?: Tier } {
  const name = headers.get("x-amz-storage-class");
  return name === undefined ? {} : { tier: tierOfClass(name) };
}

/** As S3, STANDARD is not named. */
export const classHeader = (tier: Tier): Record<string, string> =>
  tier === "hot" ? {} : { "x-amz-storage-class": storageClassOf(tier) };

/** How far the restore of an archived object is. */
export function restoreHeader({ restore }: Pick<ObjectVersion, "restore">, now: Date): Record<string, string> {
  if (!restore || now >= restore.until) return {};
  const isOngoing = now < restore.from;
  const value = isOngoing
    ? 'ongoing-request="true"'
    : `ongoing-request="false", expiry-date="${restore.until.toUTCString()}"`;
  return { "x-amz-restore": value };
}

/** The same in a list. */
export function restoreTags({ restore }: Pick<ObjectVersion, "restore">, now: Date): Xml[] {
  if (!restore || now >= restore.until) return [];
  const isOngoing = now < restore.from;
  const expiry = isOngoing ? [] : [tag("RestoreExpiryDate", restore.until.toISOString())];
  return [tag("RestoreStatus", [tag("IsRestoreInProgress", isOngoing), ...expiry])];
}
