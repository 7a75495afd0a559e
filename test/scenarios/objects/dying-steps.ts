import type { Pool, PoolClient } from "pg";

/** Where a process kills itself: before, during or after the n-th time that it comes by a step. */
export interface Death {
  /** The name or the beginning of a statement, or what the process calls a step of its own. */
  step: string;
  /** From 1. */
  pass: number;
  moment: string;
  /** Steps count only from this one on. */
  since?: string;
}

export type AtStep = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Kills this process at a step; without a death it lives. */
export function dyingAt(death?: Death): AtStep {
  const die = () => void process.kill(process.pid, "SIGKILL");
  let isCounting = death?.since === undefined;
  let passes = 0;
  return async (name, work) => {
    const isDying = death && isCounting && name.startsWith(death.step) && ++passes === death.pass;
    if (death?.since !== undefined && name.startsWith(death.since)) isCounting = true;
    if (isDying && death.moment === "before") die();
    const result = work();
    if (isDying && death.moment === "during") setImmediate(die);
    await result;
    if (isDying) die();
    return result;
  };
}

/** Makes every statement of the pool's connections, Prisma's among them, a step. Call it before the first statement. */
export function watchStatements(sql: Pool, atStep: AtStep): void {
  const stepOf = (first: unknown) => {
    const { name, text = "" } =
      typeof first === "string" ? { text: first } : (first as { name?: string; text?: string });
    return name ?? text;
  };
  sql.on("connect", (client: PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(client, {
      // The pool itself calls with a callback.
      query: (...args: unknown[]) =>
        typeof args.at(-1) === "function" ? query(...args) : atStep(stepOf(args[0]), () => query(...args)),
    });
  });
}
