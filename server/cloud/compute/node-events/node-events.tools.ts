import { type Tool, tool } from "../../../operation/tool";
import { listNodeEvents } from "./list-node-events";
import { reportNodeEvent } from "./report-node-event";

export const nodeEventTools: readonly Tool[] = [
  tool("gpuc_nlc_event node_name*:s signal*:s severity*:s details:o", reportNodeEvent),
  tool("gpuc_nlc_events_list", listNodeEvents),
];
