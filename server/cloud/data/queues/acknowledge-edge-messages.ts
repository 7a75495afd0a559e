import { operation } from "../../cloud-operation";
import { acknowledgeMessages } from "./acknowledge-messages";

/** The same as `acknowledgeMessages`, for edge functions, whose keys have the scope `edge:write`. */
export const acknowledgeEdgeMessages = operation({
  ...acknowledgeMessages,
  id: "acknowledgeEdgeMessages",
  summary: "Acknowledge messages in an edge function, which deletes them",
  description: `The same queues and rules as \`POST /v1/queues/{q}/acknowledge\`, for keys with the scope \`edge:write\`. ${acknowledgeMessages.description}`,
  access: "edge:write",
});
