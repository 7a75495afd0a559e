import { exampleId } from "../../operation/example";
import type { SessionToken } from "./session-token";

export const sessionTokenExample: SessionToken = {
  access_token: "eyJhbGciOiJIUzI1NiJ9.e30.…",
  token_type: "Bearer",
  expires_in: 3600,
  tenant_id: exampleId("ten"),
};
