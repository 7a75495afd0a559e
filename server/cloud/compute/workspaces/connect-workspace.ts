import { Duplex, PassThrough } from "node:stream";
import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { connectionTo } from "../pods/connection-to";
import { reachRunning } from "../pods/reach-run";
import { findWorkspace } from "./find-workspace";
import { recordUseWhileOpen } from "./reach-workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { EDITOR_PORT } from "./workspace-program";

/**
 * Returns a connection to the editor in a workspace, which is in use until it is closed. Throws `not_found`, `conflict`
 * (reason `not_running`), `rate_limited` (reason `too_many_connections`), and `unavailable` (reasons `port_closed`,
 * `ports_unsupported`, `node_unreachable`).
 */
export const connectWorkspace = operation({
  id: "connectWorkspace",
  summary: "Connect to the editor of a workspace",
  access: "workspaces:write",
  input: z.strictObject(workspaceChoice),
  output: z.instanceof(Duplex),
  example: { input: { id: workspaceExample.id }, output: new PassThrough() },
  run: async (ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql">, { id }) => {
    const { pod } = await findWorkspace(ctx, id);
    const connection = await connectionTo(ctx, { pod, reached: await reachRunning(ctx, pod), port: EDITOR_PORT });
    const done = recordUseWhileOpen(ctx, id);
    if (connection.destroyed) done();
    else connection.once("close", done);
    return connection;
  },
});
