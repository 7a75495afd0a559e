import type { Family } from "../../core/kinds/family";
import type { GpucParts } from "./gpuc-ctx";
import { storeKinds } from "./store-kind";

/** Stores of metrics, logs and traces. */
export const observeFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "observe",
  label: "Observability stores",
  summary: "Stores of metrics, logs and traces that OpenTelemetry exporters send.",
  meters: [],
  skus: [],
  kinds: storeKinds(parts),
  tools: {
    create: [
      {
        signature: "gpuc_observe_create name*:s kind*:s retention_days:i",
        about:
          "Creates a store of telemetry. OTLP exporters send JSON to the URL in endpoints with the token in secrets.ingest_token, which only this result shows. GET /v1/observe/{rid}/records returns the records.",
      },
    ],
    list: { signature: "gpuc_observe_list" },
  },
});
