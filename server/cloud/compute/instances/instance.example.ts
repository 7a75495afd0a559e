import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { Resource } from "../../core/records/resource";
import { INSTANCE_CPU, INSTANCE_MEMORY_MB } from "./instance-skus";

const POD_ID = exampleId("pod");

/** A GPU instance of a test key. */
export const instanceExample: Resource = {
  rid: exampleId("res"),
  project_id: exampleId("prj"),
  mode: "test",
  plane: "gpuc",
  service: "gpu",
  kind: "instance",
  name: "notebook",
  generation: 1,
  state: "ready",
  provisioned: true,
  reason: null,
  plan: null,
  spec: {
    sku: "H100",
    gpu_count: 1,
    region: "use",
    image_id: "ubuntu-24.04",
    purchase_option: "on_demand",
    user_data: "",
    tags: {},
    cpu: INSTANCE_CPU,
    memory_mb: INSTANCE_MEMORY_MB,
    volumes: [],
    running: true,
  },
  observed: {
    pod_id: POD_ID,
    status: "running",
    image: "docker.io/library/ubuntu:24.04",
    gpu: "h100",
    gpu_count: 1,
    region: "use",
    cpu: INSTANCE_CPU,
    memory_mb: INSTANCE_MEMORY_MB,
    simulated_gpus: true,
    runtime: null,
    waits_for: null,
    starts: 1,
    metered_seconds: 0,
    price_per_hour: "2.558",
    currency: "USD",
  },
  observed_at: EXAMPLE_TIME,
  endpoints: [],
  try_it: [{ title: "Open a shell", command: `svc pods shell ${POD_ID}` }],
  ...EXAMPLE_TIMES,
};
