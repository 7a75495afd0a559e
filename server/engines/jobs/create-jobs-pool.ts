import { Pool } from "pg";

/**
 * Connections for graphile-worker, to where `pool` leads: it needs job ids as pg's text, since it writes them into JSON,
 * and svc's own pool reads a bigint as BigInt.
 */
export function createJobsPool({ options }: Pool, connectionsMax: number): Pool {
  const { types: _exactIntegers, ...rest } = options;
  const pool = new Pool({
    ...rest,
    // Not enumerable in pg, so the spread leaves it out.
    ...(options.password === undefined ? {} : { password: options.password }),
    max: connectionsMax,
    min: 0,
  });
  // A connection that breaks would end the process; the query under way fails by itself, and the worker tries again.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
