import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { openTerminal, terminalFields } from "../pods/terminal-of-run";
import type { TerminalSession } from "../pods/terminal-session";
import { reachWorkspace, recordUseWhileOpen } from "./reach-workspace";
import { workspaceTarget } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { inFolder } from "./workspace-program";

/**
 * Starts a program with a terminal in `/workspace` of a workspace, which is in use until it ends. Throws `not_found`,
 * `conflict` (reason `not_running`), `rate_limited` (reason `too_many_terminals`), and `unavailable` (reasons
 * `node_unreachable`, and `not_supported` where the runtime has no terminals).
 */
export const startWorkspaceTerminal = operation({
  id: "startWorkspaceTerminal",
  summary: "Open a terminal in a workspace",
  access: "workspaces:write",
  input: z.strictObject({ ...workspaceChoice, ...terminalFields }),
  output: z.custom<TerminalSession>().optional(),
  example: { input: { id: workspaceExample.id }, output: undefined },
  run: async (
    ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">,
    { id, command, ...terminal },
  ) => {
    const reached = await reachWorkspace(ctx, id);
    const { pod } = reached;
    const entry = { action: "workspace.executed", targets: [workspaceTarget(pod)] };
    const session = await openTerminal(ctx, { pod, reached, command: inFolder(command), terminal, entry });
    void session.exited.finally(recordUseWhileOpen(ctx, id));
    return session;
  },
});
