import { extraTool } from "../../../operation/tool";
import { acknowledgeMessages } from "./acknowledge-messages";
import { createQueue } from "./create-queue";
import { deleteQueue } from "./delete-queue";
import { listQueues } from "./list-queues";
import { receiveMessages } from "./receive-messages";
import { sendMessages } from "./send-messages";

const without = ["mode", "project"];
const renamed = { queue: "q" };
const creationNotes = {
  name: "1 to 80 characters of `A-Z a-z 0-9 . _ -`",
  visibility_timeout_s: "How long a received message is invisible to others; default 30",
  visibility_timeout: "Instead of it a duration, such as `5m`",
  dlq: "A queue to which messages move after `max_receives`",
  max_receives: "",
  retention_s: "",
};
const messageNotes = {
  body: "At most 256 KiB in UTF-8",
  group_id: "Messages of one group are delivered strictly in order, one receive after the other",
  delay_seconds: "",
  deduplication_id: "A message with the id of one in the last five minutes is not stored again",
  messages: "A batch of up to 100, instead of `body` and the fields beside it",
  "messages.*": "",
};

export const queueTools = [
  extraTool("svc_queues_create", createQueue, { without, notes: creationNotes }),
  extraTool("svc_queues_list", listQueues, { without }),
  extraTool("svc_queues_send", sendMessages, { without, renamed, notes: messageNotes }),
  extraTool("svc_queues_receive", receiveMessages, { without, renamed }),
  extraTool("svc_queues_acknowledge", acknowledgeMessages, { without, renamed }),
  extraTool("svc_queues_delete", deleteQueue, { without, renamed }),
];
