import { route, routeGroup } from "../../../operation/route";
import { createWorkspace } from "./create-workspace";
import { createWorkspaceFolder } from "./create-workspace-folder";
import { deleteWorkspace } from "./delete-workspace";
import { deleteWorkspaceFile } from "./delete-workspace-file";
import { execWorkspace } from "./exec-workspace";
import { getWorkspace } from "./get-workspace";
import { listWorkspaceFiles } from "./list-workspace-files";
import { listWorkspaces } from "./list-workspaces";
import { moveWorkspaceFile } from "./move-workspace-file";
import { readWorkspaceFile } from "./read-workspace-file";
import { startWorkspace } from "./start-workspace";
import { stopWorkspace } from "./stop-workspace";
import { writeWorkspaceFile } from "./write-workspace-file";

export const workspaceRoutes = routeGroup(
  "Workspaces",
  "Machines to write programs on, with an editor in the browser",
  [
    route("POST", "/v1/workspaces", createWorkspace),
    route("GET", "/v1/workspaces", listWorkspaces),
    route("GET", "/v1/workspaces/{id}", getWorkspace),
    route("DELETE", "/v1/workspaces/{id}", deleteWorkspace),
    route("POST", "/v1/workspaces/{id}/start", startWorkspace),
    route("POST", "/v1/workspaces/{id}/stop", stopWorkspace),
    route("POST", "/v1/workspaces/{id}/exec", execWorkspace),
    route("GET", "/v1/workspaces/{id}/files", readWorkspaceFile),
    route("PUT", "/v1/workspaces/{id}/files", writeWorkspaceFile),
    route("DELETE", "/v1/workspaces/{id}/files", deleteWorkspaceFile),
    route("POST", "/v1/workspaces/{id}/files/move", moveWorkspaceFile),
    route("GET", "/v1/workspaces/{id}/folder", listWorkspaceFiles),
    route("POST", "/v1/workspaces/{id}/folder", createWorkspaceFolder),
  ],
);
