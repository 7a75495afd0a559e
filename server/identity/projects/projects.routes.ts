import { route, routeGroup } from "../../operation/route";
import { createProject } from "./create-project";
import { deleteProject } from "./delete-project";
import { getProject } from "./get-project";
import { listProjects } from "./list-projects";
import { restoreProject } from "./restore-project";
import { updateProject } from "./update-project";

export const projectRoutes = routeGroup("Projects", "Groups of API keys", [
  route("POST", "/v1/projects", createProject),
  route("GET", "/v1/projects", listProjects),
  route("GET", "/v1/projects/{id}", getProject),
  route("PATCH", "/v1/projects/{id}", updateProject),
  route("DELETE", "/v1/projects/{id}", deleteProject),
  route("POST", "/v1/projects/{id}/restore", restoreProject),
]);
