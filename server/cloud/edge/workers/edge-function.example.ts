import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { EdgeFunction } from "./edge-function";
import type { EdgeLogLine } from "./edge-log-line";
import type { EdgeVersion } from "./edge-version";
import type { SmokeRun } from "./smoke-run";

export const EXAMPLE_EDGE_CODE = `export default {
  async fetch(request, env, ctx) {
    return new Response("Hello from the edge");
  },
};
`;

const smokeExample: SmokeRun = { outcome: "passed", status: 200, error: null, logs: [], duration_ms: 12 };

/** A draft. */
export const edgeExample: EdgeFunction = {
  id: exampleId("edg"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "hello",
  url: "https://hello-k3v7qz2m4a.edge.svc.example/",
  version: 1,
  published_version: null,
  published_at: null,
  bindings: [],
  env: {},
  smoke: smokeExample,
  ...EXAMPLE_TIMES,
};

export const publishedExample: EdgeFunction = { ...edgeExample, published_version: 1, published_at: EXAMPLE_TIME };

export const edgeVersionExample: EdgeVersion = {
  version: 1,
  bindings: [],
  env: {},
  smoke: smokeExample,
  code_bytes: EXAMPLE_EDGE_CODE.length,
  created_at: EXAMPLE_TIME,
};

export const logLineExample: EdgeLogLine = {
  at: EXAMPLE_TIME,
  level: "request",
  text: "GET / 200 3 ms",
  version: 1,
  request_id: "req_4f9d",
};
