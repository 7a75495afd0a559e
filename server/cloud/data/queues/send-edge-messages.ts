import { operation } from "../../cloud-operation";
import { sendMessages } from "./send-messages";

/** The same as `sendMessages`, for edge functions, whose keys have the scope `edge:write`. */
export const sendEdgeMessages = operation({
  ...sendMessages,
  id: "sendEdgeMessages",
  summary: "Send a message, or a batch of up to 100, from an edge function",
  description: `The same queues and rules as \`POST /v1/queues/{q}/send\`, for keys with the scope \`edge:write\`. ${sendMessages.description}`,
  access: "edge:write",
});
