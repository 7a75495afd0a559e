import type { Pool } from "pg";
import { ServiceError } from "../../kernel/errors";

/** Of one process of the server: the embedded one has 512 MiB, a server of an operator may have more. */
const FIT_BYTES_MAX = 2 * 1024 * 1024 * 1024;

/**
 * Throws `unavailable` (reason `no_sql_databases`) for a server on which statements of tenants could not be kept apart
 * or could use all its memory.
 */
export async function requireFitServer(server: Pool): Promise<void> {
  const { rows } = await server.query<{ isSuperuser: boolean }>(
    `SELECT rolsuper AS "isSuperuser" FROM pg_roles WHERE rolname = current_user`,
  );
  if (rows[0]?.isSuperuser !== true) {
    throw unfit("the database user of DATABASE_URL is no superuser, which it has to be to take rights from tenants");
  }
  const limit = await memoryLimitOf(server);
  if (limit !== undefined && limit <= FIT_BYTES_MAX) return;
  throw unfit("the processes of its PostgreSQL have no limit of memory: start it with ulimit -d 524288 (KiB)");
}

/** In bytes; undefined: there is none, or the server does not say. */
async function memoryLimitOf(server: Pool): Promise<number | undefined> {
  try {
    const { rows } = await server.query<{ limits: string }>("SELECT pg_read_file('/proc/self/limits') AS limits");
    const bytes = /^Max data size\s+(\d+)/m.exec(rows[0]?.limits ?? "")?.[1];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined;
  }
}

const unfit = (why: string): ServiceError =>
  new ServiceError("unavailable", `This installation has no SQL databases for edge functions: ${why}.`, {
    details: { reason: "no_sql_databases" },
  });
