import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { Resource } from "./resource";

const common = {
  ...{ project_id: exampleId("prj"), mode: "live", plane: "gpuc", service: "object", kind: "bucket" },
  ...{ name: "training-data", spec: {}, generation: 1 },
} as const;

export const resourceExample: Resource = {
  rid: exampleId("res"),
  ...common,
  ...{ state: "ready", provisioned: true, reason: null, plan: null },
  ...{ observed: { bucket: "training-data", objects: 0, bytes: 0 }, observed_at: EXAMPLE_TIME },
  endpoints: [{ protocol: "s3", url: "https://svc.example/training-data" }],
  try_it: [{ title: "List its objects", command: "svc storage list-objects --bucket training-data" }],
  ...EXAMPLE_TIMES,
};

export const newResourceExample: Resource = {
  ...resourceExample,
  ...{ state: "provisioning", provisioned: false, observed: null, observed_at: null, endpoints: [], try_it: [] },
};
