import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Project } from "./project";

export const projectExample: Project = {
  id: exampleId("prj"),
  name: "Checkout",
  active_keys: 1,
  created_at: EXAMPLE_TIME,
};
