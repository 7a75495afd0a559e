import { route, routeGroup } from "../../../operation/route";
import { createSandbox } from "./create-sandbox";
import { deleteSandbox } from "./delete-sandbox";
import { execSandbox } from "./exec-sandbox";
import { getSandbox } from "./get-sandbox";
import { listSandboxFiles } from "./list-sandbox-files";
import { listSandboxes } from "./list-sandboxes";
import { readSandboxFile } from "./read-sandbox-file";
import { writeSandboxFile } from "./write-sandbox-file";

export const sandboxRoutes = routeGroup("Sandboxes", "Isolated environments that run untrusted code", [
  route("POST", "/v1/sandboxes", createSandbox),
  route("GET", "/v1/sandboxes", listSandboxes),
  route("GET", "/v1/sandboxes/{id}", getSandbox),
  route("DELETE", "/v1/sandboxes/{id}", deleteSandbox),
  route("POST", "/v1/sandboxes/{id}/exec", execSandbox),
  route("GET", "/v1/sandboxes/{id}/files", readSandboxFile),
  route("PUT", "/v1/sandboxes/{id}/files", writeSandboxFile),
  route("GET", "/v1/sandboxes/{id}/folder", listSandboxFiles),
]);
