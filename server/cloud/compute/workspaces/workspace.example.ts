import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { Workspace } from "./workspace";

/** A workspace that runs. */
export const workspaceExample: Workspace = {
  id: exampleId("wsp"),
  project_id: exampleId("prj"),
  mode: "test",
  name: "api",
  status: "running",
  status_reason: null,
  editor: "built-in",
  url: `https://svc.example/cloud/workspaces/${exampleId("wsp")}`,
  image: "python:3.12",
  cpu: 1,
  memory_mb: 2048,
  volume: { mount_path: "/workspace", size_gb: 10, size_enforced: true },
  idle_timeout_seconds: 3600,
  last_used_at: EXAMPLE_TIME,
  runtime: {
    kind: "namespaces",
    isolation: "Namespaces of the Linux kernel",
    limits_enforced: true,
    gpu: "none",
  },
  metered_seconds: 1,
  price_per_hour: "0.056",
  cost: "0.000015555",
  currency: "USD",
  created_at: EXAMPLE_TIME,
  started_at: EXAMPLE_TIME,
  stopped_at: null,
};

/** The same after it was not used for an hour. */
export const stoppedWorkspaceExample: Workspace = {
  ...workspaceExample,
  status: "stopped",
  status_reason: { code: "idle", message: "It was not used for 3600 seconds." },
  stopped_at: EXAMPLE_LATER,
};
