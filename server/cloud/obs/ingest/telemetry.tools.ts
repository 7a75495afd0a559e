import { z } from "zod";
import type { Tool } from "../../../operation/tool";
import { creationTool, listTool } from "../../core/resources/resource-tools";
import { StoreSpec } from "./store-spec";
import { SIGNALS } from "./telemetry";

export const telemetryTools: readonly Tool[] = [
  creationTool("gpuc_observe_create name*:s kind*:s retention_days:i", {
    ...{ service: "observe", spec: StoreSpec.extend({ kind: z.enum(SIGNALS) }) },
    description:
      "Creates a store of telemetry. OTLP exporters send JSON to the URL in endpoints with the token in secrets.ingest_token, which only this result shows. GET /v1/observe/{rid}/records returns the records.",
  }),
  listTool("gpuc_observe_list", "observe"),
];
