import { extraTool, tool } from "../../../operation/tool";
import { createWorkspace } from "./create-workspace";
import { deleteWorkspace } from "./delete-workspace";
import { execWorkspace } from "./exec-workspace";
import { getWorkspace } from "./get-workspace";
import { listWorkspaces } from "./list-workspaces";
import { readWorkspaceFile } from "./read-workspace-file";
import { startWorkspace } from "./start-workspace";
import { stopWorkspace } from "./stop-workspace";
import { writeWorkspaceFile } from "./write-workspace-file";

const renamed = { workspace_id: "id" };

export const workspaceTools = [
  tool("svc_workspaces_create name*:s image:s cpu:i memory_mb:i", createWorkspace, {
    description:
      "Creates a workspace: an image with a disk at /workspace that keeps its files, an editor in the browser at the url of the result, and terminals. It is stopped after an hour without use.",
  }),
  tool("svc_workspaces_list", listWorkspaces, {
    description: "Lists the workspaces of the project, newest first, at most 100.",
  }),
  extraTool("svc_workspaces_get", getWorkspace, { renamed }),
  extraTool("svc_workspaces_start", startWorkspace, { renamed }),
  extraTool("svc_workspaces_stop", stopWorkspace, { renamed }),
  extraTool("svc_workspaces_delete", deleteWorkspace, { renamed }),
  extraTool("svc_workspaces_exec", execWorkspace, { renamed }),
  extraTool("svc_workspaces_read_file", readWorkspaceFile, { renamed }),
  extraTool("svc_workspaces_write_file", writeWorkspaceFile, { renamed }),
];
