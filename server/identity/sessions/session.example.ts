import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Session } from "./session";

export const sessionExample: Session = {
  id: exampleId("ses"),
  kind: "api",
  current: false,
  user_agent: "curl/8.9",
  created_at: EXAMPLE_TIME,
  expires_at: "2026-12-20T09:00:00.000Z",
};
