import { operation } from "../../cloud-operation";
import { extendMessages } from "./extend-messages";

/** The same as `extendMessages`, for edge functions, whose keys have the scope `edge:write`. */
export const extendEdgeMessages = operation({
  ...extendMessages,
  id: "extendEdgeMessages",
  summary: "Extend the visibility timeout of messages in an edge function",
  description: `The same queues and rules as \`POST /v1/queues/{q}/extend\`, for keys with the scope \`edge:write\`. ${extendMessages.description}`,
  access: "edge:write",
});
