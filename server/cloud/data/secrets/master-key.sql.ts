import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { lockNameIn, shareNameIn } from "../../../engines/postgres/named-lock";

/** Held shared while a data key is wrapped, and alone while a version of the master key is created. */
const LOCK = "cloud:master_keys";

export const shareMasterKeys = (tx: Prisma.TransactionClient): Promise<void> => shareNameIn(tx, LOCK);

/** Waits until nobody is wrapping a data key; who begins later sees what `tx` commits. */
export const lockMasterKeys = (tx: Prisma.TransactionClient): Promise<void> => lockNameIn(tx, LOCK);

/** A data key that is wrapped with an older version of the master key, and that version. */
export interface OldDataKey {
  secretId: string;
  tenantId: string;
  number: number;
  wrappedKey: string;
  version: number;
  salt: string;
  checkValue: string;
}

/**
 * Locks up to `max` data keys that are not wrapped with `version`. Those that another transaction has locked are left
 * out, so that the caller, which holds many, waits for none.
 */
export async function lockOldDataKeys(
  tx: Prisma.TransactionClient,
  { version, max }: { version: number; max: number },
): Promise<OldDataKey[]> {
  return tx.$queryRaw<OldDataKey[]>`
    SELECT v.secret_id AS "secretId", s.tenant_id AS "tenantId", v.number, v.wrapped_key AS "wrappedKey",
      k.version, k.salt, k.check_value AS "checkValue"
    FROM secret_versions v
    JOIN secrets s ON s.id = v.secret_id
    JOIN master_keys k ON k.version = v.master_key_version
    WHERE v.master_key_version < ${version}
    LIMIT ${max}
    FOR NO KEY UPDATE OF v SKIP LOCKED`;
}

/** Stores data keys that were wrapped again; the three lists are parallel. */
export async function storeRewrapped(
  tx: Prisma.TransactionClient,
  version: number,
  keys: { secretIds: string[]; numbers: number[]; wrappedKeys: string[] },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE secret_versions v SET wrapped_key = new.wrapped_key, master_key_version = ${version}
    FROM unnest(${keys.secretIds}::text[], ${keys.numbers}::int[], ${keys.wrappedKeys}::text[])
      AS new(secret_id, number, wrapped_key)
    WHERE v.secret_id = new.secret_id AND v.number = new.number`;
}

/** How many data keys are wrapped with an older version. */
export async function countOldDataKeys(sql: Pool, version: number): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM secret_versions WHERE master_key_version < $1",
    [version],
  );
  return rows[0]?.count ?? 0;
}
