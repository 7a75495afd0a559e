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

const SCRIPT = `[ -e "$1" ] || [ -L "$1" ] || exit 44
exec rm -rf -- "$1"`;
const OUTPUT_BYTES_MAX = 1000;

/**
 * Deletes a file, or a folder with everything in it. Throws `not_found` (also with the reason `no_such_file`), `conflict`
 * (reason `not_running`) and `unprocessable`.
 */
export const deleteWorkspaceFile = operation({
  id: "deleteWorkspaceFile",
  summary: "Delete a file or folder in a workspace",
  description: "A folder is deleted with everything in it.",
  access: "workspaces:write",
  input: z.strictObject({ ...workspaceChoice, path: filePath }),
  output: z.void(),
  example: { input: { id: workspaceExample.id, path: "/workspace/sum.py" }, output: undefined },
  run: (ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">, { id, path }, options) =>
    useWorkspace(ctx, { id, disconnected: options?.signal }, async (reached) => {
      await auditFiles(ctx, reached, { verb: "deleted", path });
      await runInside(reached, { script: SCRIPT, path, bytesMax: OUTPUT_BYTES_MAX });
    }),
});
