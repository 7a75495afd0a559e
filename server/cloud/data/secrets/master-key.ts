import { randomBytes } from "node:crypto";
import type { MasterKey as MasterKeyRow, Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { deriveSubkey, keyedHash } from "../../../kernel/secrets";
import { shareMasterKeys } from "./master-key.sql";

const SALT_BYTES = 32;

/** A version of the master key; `key` has 32 bytes. */
export interface MasterKey {
  version: number;
  key: Buffer;
}

/** What identifies a version of the master key; without SVC_SECRET it says nothing about the key. */
export type StoredMasterKey = Pick<MasterKeyRow, "version" | "salt" | "checkValue">;

/** A new version: HKDF-SHA256 of `rootKey`, which is derived from SVC_SECRET, with a random salt. */
export function newMasterKey(rootKey: Buffer, version: number): StoredMasterKey {
  const salt = randomBytes(SALT_BYTES).toString("base64url");
  return { version, salt, checkValue: checkValueOf(deriveSubkey(rootKey, salt)) };
}

/** Derives a stored version. Throws `unavailable` (reason `other_svc_secret`) if it was derived from another SVC_SECRET. */
export function deriveMasterKey(rootKey: Buffer, { version, salt, checkValue }: StoredMasterKey): MasterKey {
  const key = deriveSubkey(rootKey, salt);
  if (checkValueOf(key) === checkValue) return { version, key };
  throw new ServiceError(
    "unavailable",
    "The secrets of this installation were stored under another SVC_SECRET; its operator must start it with that one.",
    { details: { reason: "other_svc_secret" } },
  );
}

/**
 * Returns the version that wraps new data keys; the first call creates version 1. Until `tx` ends, no newer version can
 * be created: a rotation thus sees every data key of the version that it replaces.
 */
export async function currentMasterKey(
  tx: Prisma.TransactionClient,
  { rootKey, now }: { rootKey: Buffer; now: Date },
): Promise<MasterKey> {
  await shareMasterKeys(tx);
  const newest = () => tx.masterKey.findFirst({ orderBy: { version: "desc" } });
  const row = await newest();
  if (row) return deriveMasterKey(rootKey, row);
  // Another first call may be about to commit its own version 1; this waits for it.
  await tx.masterKey.createMany({ data: [{ ...newMasterKey(rootKey, 1), createdAt: now }], skipDuplicates: true });
  const created = await newest();
  if (!created) throw new Error("There is no master key.");
  return deriveMasterKey(rootKey, created);
}

const checkValueOf = (key: Buffer): string => keyedHash(key, "svc master key");
