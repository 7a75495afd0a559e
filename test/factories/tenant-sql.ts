import { randomBytes } from "node:crypto";
import type { DatabaseLogin } from "../../server/engines/tenant-sql/tenant-databases";
import { TenantSql, type TenantSqlOptions } from "../../server/engines/tenant-sql/tenant-sql";
import { type TestDatabase, testDatabase } from "./postgres";

export interface TenantSqlScene {
  database: TestDatabase;
  tenants: TenantSql;
  close(): Promise<void>;
}

/** The login of a database that does not exist yet. */
export const newLogin = (): DatabaseLogin => ({
  name: `svc_esq_${randomBytes(8).toString("hex")}`,
  password: randomBytes(18).toString("base64url"),
});

/** SQL databases of tenants on a server; `close` deletes them. */
export async function tenantSqlScene(
  logins: readonly DatabaseLogin[],
  options?: TenantSqlOptions,
): Promise<TenantSqlScene> {
  const database = await testDatabase();
  const tenants = new TenantSql(database.sql, options);
  await tenants.requireFit();
  for (const login of logins) await tenants.create(login);
  return {
    database,
    tenants,
    close: async () => {
      tenants.close();
      for (const { name } of logins) await tenants.drop(name, async () => true);
      await database.close();
    },
  };
}
