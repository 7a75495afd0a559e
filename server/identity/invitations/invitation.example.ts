import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Invitation } from "./invitation";

export const invitationExample: Invitation = {
  id: exampleId("inv"),
  email: "grace@publisher.example",
  role: "member",
  created_at: EXAMPLE_TIME,
  expires_at: "2026-11-27T09:00:00.000Z",
};
