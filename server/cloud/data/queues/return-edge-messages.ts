import { operation } from "../../cloud-operation";
import { returnMessages } from "./return-messages";

/** The same as `returnMessages`, for edge functions, whose keys have the scope `edge:write`. */
export const returnEdgeMessages = operation({
  ...returnMessages,
  id: "returnEdgeMessages",
  summary: "Return messages from an edge function, so that they are delivered again",
  description: `The same queues and rules as \`POST /v1/queues/{q}/return\`, for keys with the scope \`edge:write\`. ${returnMessages.description}`,
  access: "edge:write",
});
