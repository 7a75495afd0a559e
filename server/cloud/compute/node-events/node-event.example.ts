import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { NodeEvent } from "./node-event";

export const nodeEventExample: NodeEvent = {
  id: exampleId("nev"),
  project_id: exampleId("prj"),
  mode: "test",
  node_name: "use/h100/h100-3",
  rid: exampleId("res"),
  signal: "xid_79",
  severity: "crit",
  details: { device: 5 },
  cordoned: true,
  outcome: "The node is cordoned and drained until the instance runs on another node.",
  created_at: EXAMPLE_TIME,
};
