import { type Tool, tool } from "../../../operation/tool";
import { deleteInstance } from "./delete-instance";
import { listInstances } from "./list-instances";
import { startInstance } from "./start-instance";
import { stopInstance } from "./stop-instance";

const renamed = { instance_id: "rid" };
const notes = { instance_id: "" };

/** Those that all families of instances share. */
export const instanceTools: readonly Tool[] = [
  tool("gpuc_instances_list kind:s", listInstances, {
    description: "Lists the instances of the project, newest first, at most 100.",
  }),
  tool("gpuc_instance_stop instance_id*:s", stopInstance, { renamed, notes }),
  tool("gpuc_instance_start instance_id*:s", startInstance, { renamed, notes }),
  tool("gpuc_instance_delete instance_id*:s", deleteInstance, { renamed, notes }),
];
