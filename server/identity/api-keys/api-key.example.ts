import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { ApiKey } from "./api-key";

export const apiKeyExample: ApiKey = {
  id: exampleId("key"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "ci",
  scopes: ["ads:read", "ads:write"],
  allowed_addresses: ["203.0.113.0/24"],
  last_four: "q7vd",
  created_at: EXAMPLE_TIME,
  expires_at: null,
  rotated_at: null,
  previous_secret_until: null,
  revoked_at: null,
  last_used_at: null,
};
