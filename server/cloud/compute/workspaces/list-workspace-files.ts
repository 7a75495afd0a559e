import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { filePath, InsideFolder } from "../inside/inside-fields";
import { LISTED_FILES_MAX, listFolder } from "../inside/inside-files";
import { useWorkspace } from "./reach-workspace";
import { WORKSPACE_FOLDER } from "./workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";

/** Lists a folder of a workspace, with the names that are UTF-8. */
export const listWorkspaceFiles = operation({
  id: "listWorkspaceFiles",
  summary: "List the files in a folder of a workspace",
  description: `At most ${LISTED_FILES_MAX} files; \`truncated\` says whether there are more.`,
  access: "workspaces:read",
  input: z.strictObject({ ...workspaceChoice, path: filePath.default(WORKSPACE_FOLDER) }),
  output: InsideFolder,
  example: {
    input: { id: workspaceExample.id, path: "/workspace" },
    output: { data: [{ name: "sum.py", type: "file", size: 13 }], truncated: false, left_out: 0 },
  },
  run: (ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">, { id, path }, options) =>
    useWorkspace(ctx, { id, disconnected: options?.signal }, (reached) => listFolder(reached, path)),
});
