import { Readable } from "node:stream";
import { type Change, recordAudit } from "../../../identity/audit/record-audit";
import { type Executed, executeToEnd } from "../pods/execute-to-end";
import { startFailure } from "../pods/start-failure";
import type { InsideCtx } from "./inside-ctx";
import type { ReachedInside } from "./reach-started";

interface Program {
  command: readonly string[];
  /** What it reads from standard input. */
  stdin: string;
  timeoutMs: number;
  /** The audit entry, which is written first. */
  entry: Change;
}

/** Runs a program and waits for its end. Throws `rate_limited`, and `unprocessable` (reason `start_failed`). */
export async function programInside(
  ctx: InsideCtx,
  { run, runtime, signal, secrets }: Pick<ReachedInside, "run" | "runtime" | "signal" | "secrets">,
  { command, stdin, timeoutMs, entry }: Program,
): Promise<Executed> {
  const release = ctx.podRuns.follow(ctx.actor.tenantId);
  try {
    await ctx.db.$transaction((tx) => recordAudit(tx, ctx, entry));
    const execution = await runtime
      .exec(run.id, command, { stdin: Readable.from([Buffer.from(stdin)]) })
      .catch(startFailure);
    return await executeToEnd(execution, { timeoutMs, signal, secrets });
  } finally {
    release();
  }
}
