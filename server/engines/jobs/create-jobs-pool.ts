import { Pool } from "pg";

/**
 * Connections for graphile-worker to the database of `pool`. It writes job ids into JSON and needs them as text,
 * whereas svc's own pool parses a bigint as BigInt.
 */
export function createJobsPool({ options }: Pool, connectionsMax: number): Pool {
  const { types: _exactIntegers, ...rest } = options;
  const pool = new Pool({
    ...rest,
    // Not enumerable in pg, so the spread omits it.
    ...(options.password === undefined ? {} : { password: options.password }),
    max: connectionsMax,
    min: 0,
  });
  // Without a listener, a broken connection would end the process; the current query fails by itself, and the worker
  // retries.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
