import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { ChatRequest } from "./chat-request";

export const chatRequestExample: ChatRequest = {
  id: exampleId("chr"),
  request_id: "req_9f2c41d07ab35e6818c4d2b0",
  project_id: exampleId("prj"),
  mode: "live",
  key_id: exampleId("key"),
  endpoint: "chat",
  model: "gpt-4o-mini",
  upstream: "openai",
  stream: true,
  status: "succeeded",
  http_status: 200,
  error_code: null,
  prompt_tokens: 412,
  completion_tokens: 186,
  cost_micros: 173.4,
  estimated: false,
  cached: false,
  simulated: false,
  tries: 1,
  first_byte_ms: 310,
  total_ms: 2140,
  has_bodies: false,
  created_at: EXAMPLE_TIME,
  finished_at: "2026-11-20T09:00:02.140Z",
};
