import { extraTool } from "../../../operation/tool";
import { acknowledgeMessages } from "./acknowledge-messages";
import { createQueue } from "./create-queue";
import { deleteQueue } from "./delete-queue";
import { listQueues } from "./list-queues";
import { receiveMessages } from "./receive-messages";
import { sendMessages } from "./send-messages";

const without = ["mode", "project"];
const renamed = { queue: "q" };

export const queueTools = [
  extraTool("svc_queues_create", createQueue, { without }),
  extraTool("svc_queues_list", listQueues, { without }),
  extraTool("svc_queues_send", sendMessages, { without, renamed }),
  extraTool("svc_queues_receive", receiveMessages, { without, renamed }),
  extraTool("svc_queues_acknowledge", acknowledgeMessages, { without, renamed }),
  extraTool("svc_queues_delete", deleteQueue, { without, renamed }),
];
