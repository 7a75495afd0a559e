import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { programInside } from "../inside/program-inside";
import { ExecutedProgram } from "../pods/exec-pod";
import type { PodsCtx } from "../pods/pods-ctx";
import { reachSandbox } from "./reach-sandbox";
import { sandboxTarget } from "./sandbox";
import { sandboxExample } from "./sandbox.example";
import { execFields, sandboxChoice } from "./sandbox-fields";

/**
 * Runs a program in a sandbox. Throws `not_found`, `conflict` (reason `not_running`), `unprocessable` (reason
 * `start_failed`), `rate_limited`, and `unavailable` (reason `node_unreachable`).
 */
export const execSandbox = operation({
  id: "execSandbox",
  summary: "Run a program in a sandbox",
  description:
    "Runs a program with the files, environment and limits of a sandbox that is kept alive, and returns when it has ended; one that still starts is waited for up to 60 seconds. Values of secrets are replaced by `[redacted]`. A program that is still running when the client disconnects is ended. In a sandbox whose environment has secrets it requires the scope `secrets:reveal` too, and so do its files.",
  access: "sandboxes:write",
  takesLong: true,
  input: z.strictObject({ ...sandboxChoice, ...execFields }),
  output: ExecutedProgram.omit({ run: true }),
  example: {
    input: { id: sandboxExample.id, command: ["python3", "-c", "print(6 * 7)"] },
    output: { exit_code: 0, signal: null, timed_out: false, stdout: "42\n", stderr: "", truncated: false },
  },
  run: async (
    ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">,
    { id, command, stdin, timeout_seconds },
    options,
  ) => {
    const reached = await reachSandbox(ctx, id, options?.signal);
    const { pod } = reached;
    const left = Math.max(1, pod.expiresAt.getTime() - ctx.clock.now().getTime());
    return programInside(ctx, reached, {
      command,
      stdin,
      timeoutMs: Math.min(timeout_seconds * 1000, left),
      entry: { action: "sandbox.executed", targets: [sandboxTarget(pod)] },
    });
  },
});
