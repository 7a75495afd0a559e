import { Readable } from "node:stream";
import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { podChoice, podFields } from "../pod-requests/pod-fields";
import { assertMayEnter } from "./assert-may-enter";
import { executeToEnd } from "./execute-to-end";
import { findPod } from "./find-pod";
import { podTarget } from "./pod";
import { podExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";
import { reachRunning } from "./reach-run";
import { startFailure } from "./start-failure";

const STDIN_BYTES_MAX = 64 * 1024;
const TIMEOUT_SECONDS = 60;
const TIMEOUT_SECONDS_MAX = 300;

export const stdinField = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= STDIN_BYTES_MAX, "expected at most 64 KiB")
  .default("")
  .describe("What the program reads from standard input, at most 64 KiB");
export const timeoutSeconds = z
  .int()
  .min(1)
  .max(TIMEOUT_SECONDS_MAX)
  .default(TIMEOUT_SECONDS)
  .describe(
    `When the program is ended with SIGKILL, with all that it has started, 1 to ${TIMEOUT_SECONDS_MAX} seconds; default ${TIMEOUT_SECONDS}`,
  );

export const ExecutedProgram = z.object({
  run: z.int().describe("The number of the run"),
  exit_code: z.int().nullable().describe("null: a signal ended it"),
  signal: z.string().nullable(),
  timed_out: z.boolean().describe("Whether it was ended because of `timeout_seconds`"),
  stdout: z.string().describe("Text: bytes that are not UTF-8 are shown as U+FFFD; print them in base64 to keep them"),
  stderr: z.string(),
  truncated: z.boolean().describe("Whether more than 1 MiB was written; the rest is dropped"),
});

/**
 * Runs a program in a pod that runs. Throws `not_found`, `forbidden` for a pod with secrets without `secrets:reveal`,
 * `conflict` (reason `not_running`), `unprocessable` for a program that does not start (reason `start_failed`), and
 * `unavailable` (reason `node_unreachable`).
 */
export const execPod = operation({
  id: "execPod",
  summary: "Run a program in a pod",
  description:
    "Runs one more program beside the process of a pod, with its files, environment and limits, and returns when it has ended. Its output is not part of the pod's output. Values of secrets are replaced by `[redacted]` as in the pod's output. A program that is still running when the client disconnects is ended with all that it has started. What a program leaves behind when it ends by itself runs on, and its output is not read any more. In a pod whose environment has secrets it requires the scope `secrets:reveal` too.",
  access: "pods:write",
  takesLong: true,
  input: z.strictObject({
    ...podChoice,
    command: podFields.command,
    stdin: stdinField,
    timeout_seconds: timeoutSeconds,
  }),
  output: ExecutedProgram,
  example: {
    input: { id: podExample.id, command: ["nproc"] },
    output: { run: 1, exit_code: 0, signal: null, timed_out: false, stdout: "8\n", stderr: "", truncated: false },
  },
  run: async (
    ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">,
    { id, command, stdin: input, timeout_seconds },
    options,
  ) => {
    const pod = await findPod(ctx, id);
    assertMayEnter(ctx.actor, pod);
    const reached = await reachRunning(ctx, pod);
    const release = ctx.podRuns.follow(ctx.actor.tenantId);
    try {
      await ctx.db.$transaction((tx) => recordAudit(tx, ctx, { action: "pod.executed", targets: [podTarget(pod)] }));
      const execution = await reached.runtime
        .exec(reached.run.id, command, { stdin: Readable.from([Buffer.from(input)]) })
        .catch(startFailure);
      const signals = [ctx.stopping, options?.signal].filter((one) => one !== undefined);
      const limits = { timeoutMs: timeout_seconds * 1000, signal: AbortSignal.any(signals), secrets: reached.secrets };
      return { run: pod.runNumber, ...(await executeToEnd(execution, limits)) };
    } finally {
      release();
    }
  },
});
