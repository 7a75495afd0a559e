import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { programInside } from "../inside/program-inside";
import { podFields } from "../pod-requests/pod-fields";
import { ExecutedProgram, stdinField, timeoutSeconds } from "../pods/exec-pod";
import { reachWorkspace, recordUseWhileOpen } from "./reach-workspace";
import { workspaceTarget } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { inFolder } from "./workspace-program";

/**
 * Runs a program in a workspace. Throws `not_found`, `conflict` (reason `not_running`), `rate_limited`, and `unavailable`
 * (reason `node_unreachable`).
 */
export const execWorkspace = operation({
  id: "execWorkspace",
  summary: "Run a program in a workspace",
  description:
    "Runs a program in `/workspace` and returns when it has ended; one that does not exist ends with exit code 127. A workspace that still starts is waited for up to 60 seconds. A program that is still running when the client disconnects is ended.",
  access: "workspaces:write",
  takesLong: true,
  input: z.strictObject({
    ...workspaceChoice,
    command: podFields.command.describe("The program and its arguments"),
    stdin: stdinField,
    timeout_seconds: timeoutSeconds,
  }),
  output: ExecutedProgram.omit({ run: true }),
  example: {
    input: { id: workspaceExample.id, command: ["python3", "-c", "print(6 * 7)"] },
    output: { exit_code: 0, signal: null, timed_out: false, stdout: "42\n", stderr: "", truncated: false },
  },
  run: async (
    ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">,
    { id, command, stdin, timeout_seconds: seconds },
    options,
  ) => {
    const reached = await reachWorkspace(ctx, id, options?.signal);
    const done = recordUseWhileOpen(ctx, id);
    try {
      return await programInside(ctx, reached, {
        command: inFolder(command),
        stdin,
        timeoutMs: seconds * 1000,
        entry: { action: "workspace.executed", targets: [workspaceTarget(reached.pod)] },
      });
    } finally {
      done();
    }
  },
});
