import { type Tool, tool } from "../../../operation/tool";
import { listNodeEvents } from "./list-node-events";
import { reportNodeEvent } from "./report-node-event";

export const nodeEventTools: readonly Tool[] = [
  tool("gpuc_nlc_event node_name*:s signal*:s severity*:s details:o", reportNodeEvent, {
    description: `Reports a health event of a node that a running baremetal instance of yours has for itself. \`crit\` cordons and drains it: the instance continues with its files on another node. ${reportNodeEvent.description}`,
    notes: { node_name: "Such as `use/h100/h100-3`", severity: "", details: "At most 4096 bytes of JSON" },
  }),
  tool("gpuc_nlc_events_list", listNodeEvents),
];
