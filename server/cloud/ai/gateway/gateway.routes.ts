import { dashboardChange, route, routeGroup } from "../../../operation/route";
import { createChatCompletion } from "./create-chat-completion";
import { createEmbedding } from "./create-embedding";
import { getChatModel } from "./get-chat-model";
import { listChatModels } from "./list-chat-models";
import { requestChatAnswer } from "./request-chat-answer";

export const gatewayRoutes = routeGroup("Chat", "Models of all upstreams behind OpenAI's API", [
  route("POST", "/v1/chat/completions", createChatCompletion),
  route("POST", "/v1/embeddings", createEmbedding),
  route("GET", "/v1/models", listChatModels),
  route("GET", "/v1/models/{model}", getChatModel),
  dashboardChange(requestChatAnswer),
]);
