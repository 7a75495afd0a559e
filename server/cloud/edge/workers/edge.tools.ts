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

export const edgeTools = [
  tool("svc_edge_create name*:s code*:s", createEdgeFunction, {
    description: `${createEdgeFunction.summary}. ${createEdgeFunction.description} svc_edge_update gives it bindings, svc_edge_publish publishes it.`,
  }),
  tool("svc_edge_publish edge_id*:s", publishEdgeFunction, { renamed }),
  extraTool("svc_edge_list", listEdgeFunctions),
  extraTool("svc_edge_get", getEdgeFunction, { renamed }),
  extraTool("svc_edge_update", updateEdgeFunction, { renamed }),
  extraTool("svc_edge_rollback", restoreEdgeVersion, { renamed }),
  extraTool("svc_edge_delete", deleteEdgeFunction, { renamed }),
  extraTool("svc_edge_logs", getEdgeLogs, { renamed, without: ["follow"] }),
];
