import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { AuditEntry } from "./audit-entry";

export const auditEntryExample: AuditEntry = {
  id: exampleId("aud"),
  sequence: 42,
  at: EXAMPLE_TIME,
  action: "project.created",
  actor: { type: "api_key", id: exampleId("key"), name: "ci" },
  targets: [{ type: "project", id: exampleId("prj") }],
  context: { request_id: "req_7f3k", address: "203.0.113.7", user_agent: "curl/8.9" },
  details: {},
  hash: "9f2c".repeat(16),
  previous_hash: "41d0".repeat(16),
};
