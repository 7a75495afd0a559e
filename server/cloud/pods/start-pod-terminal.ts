import { PassThrough } from "node:stream";
import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { findPod } from "./find-pod";
import { podTarget } from "./pod";
import { podExample } from "./pod.example";
import { podChoice, podFields } from "./pod-fields";
import { reachRunning } from "./reach-run";
import { startFailure } from "./start-failure";
import { type TerminalSession, terminalSession } from "./terminal-session";

export type { TerminalSession } from "./terminal-session";

const SIDE_MAX = 1000;
/** bash if the image has it, which is the better shell for people. */
const SHELL = ["/bin/sh", "-c", "[ -x /bin/bash ] && exec /bin/bash; exec /bin/sh"];

/** Of a terminal, in characters. */
export const terminalSide = z.int().min(1).max(SIDE_MAX);
const side = (value: number, what: string) =>
  z.coerce
    .number()
    .pipe(terminalSide)
    .default(value)
    .describe(`${what} of the terminal, 1 to ${SIDE_MAX}; default ${value}`);

/** A query has a single value as text and several as a list. */
const command = z
  .preprocess((value: unknown) => (typeof value === "string" ? [value] : value), podFields.command)
  .default(SHELL)
  .describe("The program and its arguments, a parameter for each; default: the shell of the image");

/**
 * Starts a program with a terminal in a pod that runs. Throws `not_found`, `conflict` (reason `not_running`),
 * `unprocessable` (reason `start_failed`), `rate_limited` (reason `too_many_terminals`), and `unavailable` (reason
 * `machine_unreachable`).
 */
export const startPodTerminal = operation({
  id: "startPodTerminal",
  summary: "Open a terminal in a pod",
  access: "pods:write",
  cost: "normal",
  input: z.strictObject({ ...podChoice, command, columns: side(80, "Columns"), rows: side(24, "Rows") }),
  output: z.custom<TerminalSession>().optional(),
  example: { input: { id: podExample.id }, output: undefined },
  run: async (ctx: CloudCtx, { id, command: words, ...terminal }): Promise<TerminalSession> => {
    const pod = await findPod(ctx, id);
    const { run, runtime, secrets } = await reachRunning(ctx, pod);
    const onEnd = ctx.podRuns.openTerminal({ tenantId: ctx.actor.tenantId, podId: pod.id });
    try {
      await ctx.db.$transaction((tx) => recordAudit(tx, ctx, { action: "pod.executed", targets: [podTarget(pod)] }));
      const input = new PassThrough();
      const options = { stdin: input, terminal, env: { TERM: "xterm-256color" } };
      const execution = await runtime.exec(run.id, words, options).catch(startFailure);
      return terminalSession({ run: pod.runNumber, execution, input, secrets, onEnd });
    } catch (failure) {
      onEnd();
      throw failure;
    }
  },
});
