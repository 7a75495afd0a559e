import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { filePath } from "../inside/inside-fields";
import { runInside } from "../inside/run-inside";
import { useWorkspace } from "./reach-workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { auditFiles } from "./workspace-files";

const SCRIPT = `[ -e "$1" ] || [ -L "$1" ] && exit 49
exec mkdir -p -- "$1"`;
const OUTPUT_BYTES_MAX = 1000;

/** Makes a folder in a workspace. Throws `not_found`, `conflict` (reasons `not_running`, `exists`) and `unprocessable`. */
export const createWorkspaceFolder = operation({
  id: "createWorkspaceFolder",
  summary: "Make a folder in a workspace",
  description: "Also makes folders above it that are missing.",
  access: "workspaces:write",
  stores: true,
  idempotent: true,
  result: "created",
  input: z.strictObject({ ...workspaceChoice, path: filePath }),
  output: z.object({ path: z.string() }),
  example: { input: { id: workspaceExample.id, path: "/workspace/src" }, output: { path: "/workspace/src" } },
  run: (ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">, { id, path }, options) =>
    useWorkspace(ctx, { id, disconnected: options?.signal }, async (reached) => {
      await auditFiles(ctx, reached, { verb: "written", path });
      await runInside(reached, { script: SCRIPT, path, bytesMax: OUTPUT_BYTES_MAX });
      return { path };
    }),
});
