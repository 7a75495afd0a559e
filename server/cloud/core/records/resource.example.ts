import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { Resource } from "./resource";

const BUCKET = "b-training-data-4y7a9b1c3d";

export const resourceExample: Resource = {
  rid: exampleId("res"),
  project_id: exampleId("prj"),
  mode: "live",
  plane: "gpuc",
  service: "object",
  kind: "bucket",
  name: "training-data",
  spec: { tier: "hot" },
  generation: 1,
  state: "ready",
  provisioned: true,
  reason: null,
  plan: null,
  observed: { bucket: BUCKET, bucket_id: exampleId("bkt"), tier: "hot", objects: 0, bytes: 0 },
  observed_at: EXAMPLE_TIME,
  endpoints: [{ protocol: "s3", url: `https://svc.example/v1/s3/${BUCKET}` }],
  try_it: [{ title: "List its objects", command: `svc storage ls svc://${BUCKET}` }],
  ...EXAMPLE_TIMES,
};

export const newResourceExample: Resource = {
  ...resourceExample,
  state: "provisioning",
  provisioned: false,
  observed: null,
  observed_at: null,
  endpoints: [],
  try_it: [],
};
