import { extraTool, tool } from "../../../operation/tool";
import { createEdgeFunction } from "./create-edge-function";
import { deleteEdgeFunction } from "./delete-edge-function";
import { getEdgeFunction } from "./get-edge-function";
import { getEdgeLogs } from "./get-edge-logs";
import { listEdgeFunctions } from "./list-edge-functions";
import { publishEdgeFunction } from "./publish-edge-function";
import { restoreEdgeVersion } from "./restore-edge-version";
import { updateEdgeFunction } from "./update-edge-function";

const renamed = { edge_id: "id" };
const notes = {
  name: "1 to 80 characters of `A-Z a-z 0-9 . _ -`; the host begins with it",
  code: "A module whose default export is an object with `fetch(request, env, ctx)`",
  "bindings.*.*.namespace": "",
  "bindings.*.*.database": "",
  env: "Names of secrets take the scope `secrets:reveal`",
  "env.*": "",
};

export const edgeTools = [
  tool("svc_edge_create name*:s code*:s", createEdgeFunction, {
    description: `Creates an edge function, a module that responds to the HTTP requests of a host of its own, as a draft. svc_edge_update gives it bindings, svc_edge_publish publishes it. ${createEdgeFunction.description}`,
    notes,
  }),
  tool("svc_edge_publish edge_id*:s", publishEdgeFunction, { renamed }),
  extraTool("svc_edge_list", listEdgeFunctions),
  extraTool("svc_edge_get", getEdgeFunction, { renamed }),
  extraTool("svc_edge_update", updateEdgeFunction, {
    renamed,
    description:
      "Updates the name of an edge function, or makes a new draft of its code, bindings and env. The published version serves as before until svc_edge_publish. What is left out stays.",
    notes,
  }),
  extraTool("svc_edge_rollback", restoreEdgeVersion, { renamed }),
  extraTool("svc_edge_delete", deleteEdgeFunction, { renamed }),
  extraTool("svc_edge_logs", getEdgeLogs, { renamed, without: ["follow"] }),
];
