import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import type { StoredValue } from "./sealed-value";
import type { SecretOwner } from "./secret";

const COLUMNS = `s.tenant_id AS "tenantId", s.id AS "secretId", v.number, v.sealed_value AS "sealedValue",
  v.wrapped_key AS "wrappedKey", k.version, k.salt, k.check_value AS "checkValue"`;

/** The current value that a reference means: the project's own secret, or else that of the whole tenant. */
export async function valueByName(
  sql: Pick<Pool, "query">,
  { tenantId, projectId, mode }: SecretOwner,
  name: string,
): Promise<StoredValue | undefined> {
  const { rows } = await sql.query<StoredValue>({
    name: "secret_value_by_name",
    text: `SELECT ${COLUMNS} FROM secrets s
      JOIN secret_versions v ON v.secret_id = s.id AND v.number = s.version
      JOIN master_keys k ON k.version = v.master_key_version
      WHERE s.tenant_id = $1 AND s.mode = $3::"Mode" AND s.name = $4 AND (s.project_id = $2 OR s.project_id IS NULL)
      ORDER BY s.project_id NULLS LAST LIMIT 1`,
    values: [tenantId, projectId, mode, name],
  });
  return rows[0];
}

/** One version of a secret. */
export async function versionValue(
  tx: Prisma.TransactionClient,
  secretId: string,
  number: number,
): Promise<StoredValue | undefined> {
  const [row] = await tx.$queryRaw<StoredValue[]>`
    SELECT s.tenant_id AS "tenantId", s.id AS "secretId", v.number, v.sealed_value AS "sealedValue",
      v.wrapped_key AS "wrappedKey", k.version, k.salt, k.check_value AS "checkValue"
    FROM secrets s
    JOIN secret_versions v ON v.secret_id = s.id
    JOIN master_keys k ON k.version = v.master_key_version
    WHERE s.id = ${secretId} AND v.number = ${number}`;
  return row;
}
