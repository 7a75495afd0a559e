import { PassThrough } from "node:stream";
import { z } from "zod";
import { type Change, recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { integerInQuery } from "../../../kernel/integer-in-query";
import type { StoredPod } from "../pod-records/stored-pod";
import { podFields } from "../pod-requests/pod-fields";
import type { PodsCtx } from "./pods-ctx";
import type { ReachedRun } from "./reach-run";
import { startFailure } from "./start-failure";
import { type TerminalSession, terminalSession } from "./terminal-session";

const SIDE_MAX = 1000;
/** bash if the image has it, which is the better shell for people. */
const SHELL = ["/bin/sh", "-c", "[ -x /bin/bash ] && exec /bin/bash; exec /bin/sh"];

/** Of a terminal, in characters. */
export const terminalSide = z.int().min(1).max(SIDE_MAX);
const side = (value: number, what: string) =>
  integerInQuery(1, SIDE_MAX).default(value).describe(`${what} of the terminal, 1 to ${SIDE_MAX}; default ${value}`);

/** A query has a single value as text and several as a list. */
const command = z
  .preprocess((value: unknown) => (typeof value === "string" ? [value] : value), podFields.command)
  .default(SHELL)
  .describe("The program and its arguments, a parameter for each; default: the shell of the image");

/** What a client says about a terminal. */
export const terminalFields = { command, columns: side(80, "Columns"), rows: side(24, "Rows") };

interface Terminal {
  pod: StoredPod;
  reached: ReachedRun;
  command: readonly string[];
  terminal: { columns: number; rows: number };
  /** The audit entry, which is written first. */
  entry: Change;
}

/** Starts a program with a terminal. Throws `rate_limited` (reason `too_many_terminals`), and what `startFailure` does. */
export async function openTerminal(
  ctx: ActorCtx & Pick<PodsCtx, "podRuns">,
  { pod, reached: { run, runtime, secrets }, command: words, terminal, entry }: Terminal,
): Promise<TerminalSession> {
  const onEnd = ctx.podRuns.openTerminal({ tenantId: ctx.actor.tenantId, podId: pod.id });
  try {
    await ctx.db.$transaction((tx) => recordAudit(tx, ctx, entry));
    const input = new PassThrough();
    const options = { stdin: input, terminal, env: { TERM: "xterm-256color" } };
    const execution = await runtime.exec(run.id, words, options).catch(startFailure);
    return terminalSession({ run: pod.runNumber, execution, input, secrets, onEnd });
  } catch (failure) {
    onEnd();
    throw failure;
  }
}
