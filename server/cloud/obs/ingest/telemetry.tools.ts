import type { Tool } from "../../../operation/tool";
import { creationTool, listTool } from "../../core/resources/resource-tools";
import { StoreSpec } from "./store-spec";

export const telemetryTools: readonly Tool[] = [
  creationTool("gpuc_observe_create name*:s kind*:s retention_days:i", {
    ...{ service: "observe", spec: StoreSpec },
    description:
      "Creates a store of telemetry; kind is metric, log or trace. OTLP exporters send JSON to the URL in endpoints with the token in secrets.ingest_token, which only this result shows. GET /v1/observe/{rid}/records returns the records. Without the activated service observe the result is a placeholder with the reason and the plan.",
  }),
  listTool("gpuc_observe_list", "observe"),
];
