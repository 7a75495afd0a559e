import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Event } from "./event";

export const eventExample: Event = {
  id: exampleId("evt"),
  type: "project.created",
  created_at: EXAMPLE_TIME,
  tenant_id: exampleId("ten"),
  project_id: null,
  mode: "live",
  data: { id: exampleId("prj"), name: "Checkout", created_at: EXAMPLE_TIME },
};
