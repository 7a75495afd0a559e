import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Pod } from "./pod";

/** A pod that has just been created. */
export const podExample: Pod = {
  id: exampleId("pod"),
  project_id: exampleId("prj"),
  mode: "test",
  name: "finetune",
  status: "pending",
  status_reason: null,
  image: "ghcr.io/example/train:2",
  registry_credentials: { username: "example", password: { secret: "GHCR_TOKEN" } },
  command: null,
  env: { EPOCHS: "3", HF_TOKEN: { secret: "HF_TOKEN" } },
  labels: { job: "training" },
  spot: false,
  auto_resume: false,
  reservation_id: null,
  gang: null,
  gpu: "h100",
  gpu_count: 2,
  region: "use",
  cpu: 8,
  memory_mb: 4096,
  simulated: true,
  allocation: { pool: "use/h100", node: "h100-1", devices: [0, 1] },
  runtime: null,
  exit: null,
  reclaim: null,
  runs: 1,
  metered_seconds: 0,
  price_per_hour: "5.236",
  cost: "0.00",
  currency: "USD",
  created_at: EXAMPLE_TIME,
  started_at: null,
  stopped_at: null,
  expires_at: "2026-12-20T09:00:00.000Z",
};

/** The same after an hour of work. */
export const endedPodExample: Pod = {
  ...podExample,
  status: "completed",
  allocation: null,
  runtime: {
    kind: "namespaces",
    isolation: "Namespaces of the Linux kernel",
    limits_enforced: true,
    gpu: "simulated",
  },
  exit: { code: 0, signal: null, oom_killed: false },
  metered_seconds: 3600,
  cost: "5.236",
  started_at: EXAMPLE_TIME,
  stopped_at: EXAMPLE_LATER,
};
