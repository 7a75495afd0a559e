import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Member } from "./member";
import type { Tenant } from "./tenant";

export const tenantExample: Tenant = { id: exampleId("ten"), name: "Fjell", is_demo: false, created_at: EXAMPLE_TIME };

export const memberExample: Member = {
  user_id: exampleId("usr"),
  email: "ada@publisher.example",
  role: "owner",
  joined_at: EXAMPLE_TIME,
};
