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
[ -e "$2" ] || [ -L "$2" ] && exit 49
exec mv -- "$1" "$2"`;
const OUTPUT_BYTES_MAX = 1000;

/**
 * Moves or renames a file or a folder. Throws `not_found` (also with the reason `no_such_file`), `conflict` (reasons
 * `not_running`, `exists`) and `unprocessable`.
 */
export const moveWorkspaceFile = operation({
  id: "moveWorkspaceFile",
  summary: "Move or rename a file or folder in a workspace",
  description: "Nothing is replaced: if `to` exists, it is a conflict with the reason `exists`.",
  access: "workspaces:write",
  input: z.strictObject({ ...workspaceChoice, path: filePath, to: filePath.describe("Its new absolute path") }),
  output: z.object({ path: z.string() }),
  example: {
    input: { id: workspaceExample.id, path: "/workspace/sum.py", to: "/workspace/total.py" },
    output: { path: "/workspace/total.py" },
  },
  run: (
    ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">,
    { id, path, to },
    options,
  ) =>
    useWorkspace(ctx, { id, disconnected: options?.signal }, async (reached) => {
      await auditFiles(ctx, reached, { verb: "moved", path, to });
      await runInside(reached, { script: SCRIPT, path, to, bytesMax: OUTPUT_BYTES_MAX });
      return { path: to };
    }),
});
