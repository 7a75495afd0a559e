import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { CloudFunction } from "./function";
import type { FunctionVersion } from "./function-version";
import type { Invocation, InvocationSummary } from "./invocation";

export const EXAMPLE_CODE = "export default (payload) => ({ total: payload.prices.reduce((a, b) => a + b, 0) });\n";

export const functionExample: CloudFunction = {
  id: exampleId("fnc"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "total",
  runtime: "javascript",
  backend: "workerd",
  image: null,
  memory_mb: null,
  version: 1,
  env: {},
  timeout_ms: 10_000,
  concurrency_max: 20,
  schedule: null,
  next_run_at: null,
  retries_max: 0,
  ...EXAMPLE_TIMES,
};

export const versionExample: FunctionVersion = {
  version: 1,
  handler: "default",
  code_bytes: EXAMPLE_CODE.length,
  created_at: EXAMPLE_TIME,
};

export const summaryExample: InvocationSummary = {
  id: exampleId("inv"),
  function_id: functionExample.id,
  version: 1,
  async: false,
  scheduled_at: null,
  attempt: 1,
  status: "succeeded",
  error: null,
  duration_ms: 3,
  created_at: EXAMPLE_TIME,
  ended_at: EXAMPLE_TIME,
};

export const invocationExample: Invocation = { ...summaryExample, result: { total: 42 }, logs: [] };

export const queuedExample: Invocation = {
  ...invocationExample,
  async: true,
  status: "queued",
  attempt: 0,
  result: null,
  duration_ms: null,
  ended_at: null,
};
