import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { Sandbox } from "./sandbox";

/** A sandbox that is kept alive. */
export const sandboxExample: Sandbox = {
  id: exampleId("sbx"),
  project_id: exampleId("prj"),
  mode: "test",
  name: "sandbox-1c3d",
  status: "running",
  status_reason: null,
  image: "python:3.12",
  registry_credentials: null,
  command: null,
  env: { LANG: "C.UTF-8" },
  cpu: 1,
  memory_mb: 512,
  timeout_seconds: 300,
  keep_alive: false,
  exit_code: null,
  signal: null,
  timed_out: null,
  stdout: null,
  stderr: null,
  truncated: null,
  runtime: {
    kind: "namespaces",
    isolation: "Namespaces of the Linux kernel",
    limits_enforced: true,
    gpu: "none",
  },
  metered_seconds: 1,
  price_per_hour: "0.032",
  cost: "0.000008888",
  currency: "USD",
  created_at: EXAMPLE_TIME,
  started_at: EXAMPLE_TIME,
  ended_at: null,
  expires_at: "2026-11-20T09:05:00.000Z",
};

/** A sandbox with a command, which has ended. */
export const endedSandboxExample: Sandbox = {
  ...sandboxExample,
  status: "ended",
  status_reason: { code: "command_ended", message: "Its command has ended." },
  command: ["python3", "-c", "print(6 * 7)"],
  exit_code: 0,
  timed_out: false,
  stdout: "42\n",
  stderr: "",
  truncated: false,
  ended_at: EXAMPLE_LATER,
};
