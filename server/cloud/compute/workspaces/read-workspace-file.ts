import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { filePath } from "../inside/inside-fields";
import { contentOf, readBytes } from "../inside/inside-files";
import { FILE_BYTES_MAX } from "../inside/run-inside";
import { useWorkspace } from "./reach-workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { versionOf, WorkspaceFile } from "./workspace-files";

/**
 * Reads a file of a workspace. Throws `not_found` (also with the reason `no_such_file`), `conflict` (reason
 * `not_running`), `unprocessable` (reasons `is_folder`, `no_file`, `not_permitted`) and `payload_too_large` above 8 MiB.
 */
export const readWorkspaceFile = operation({
  id: "readWorkspaceFile",
  summary: "Read a file in a workspace",
  description: `At most ${FILE_BYTES_MAX / 1024 ** 2} MiB.`,
  access: "workspaces:read",
  input: z.strictObject({ ...workspaceChoice, path: filePath }),
  output: WorkspaceFile,
  example: {
    input: { id: workspaceExample.id, path: "/workspace/sum.py" },
    output: {
      path: "/workspace/sum.py",
      size: 13,
      content: "print(6 * 7)\n",
      encoding: "utf8" as const,
      version: "e10d13ee6beb328301b03cd6651a69e7c0b475c9559e6bf9f3dde151dc373eeb",
    },
  },
  run: (ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">, { id, path }, options) =>
    useWorkspace(ctx, { id, disconnected: options?.signal }, async (reached) => {
      const bytes = await readBytes(reached, path);
      return { ...contentOf(path, bytes), version: versionOf(bytes) };
    }),
});
