import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { findWorkspace } from "./find-workspace";
import { lookForEditor } from "./look-for-editor";
import { toWorkspace, Workspace } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";

/** Returns a workspace. Throws `not_found`. */
export const getWorkspace = operation({
  id: "getWorkspace",
  summary: "Get a workspace",
  description:
    "A workspace is `starting` until it runs (`running`). `stopping` and `stopped` follow a request or its idle time-out, `failed` any other end. From `stopped` and `failed` it can be started again, with its files.",
  access: "workspaces:read",
  input: z.strictObject(workspaceChoice),
  output: Workspace,
  example: { input: { id: workspaceExample.id }, output: workspaceExample },
  run: async (
    ctx: ActorCtx &
      Pick<WorkspaceCtx, "currency" | "encryptionKey" | "podRuns" | "publicUrl" | "stopping" | "workspaceHosts">,
    { id },
  ) => toWorkspace(await lookForEditor(ctx, await findWorkspace(ctx, id)), ctx),
});
