import { route, routeGroup } from "../../../operation/route";
import { createChatUpstream } from "./create-chat-upstream";
import { deleteChatUpstream } from "./delete-chat-upstream";
import { getChatUpstream } from "./get-chat-upstream";
import { listChatUpstreams } from "./list-chat-upstreams";
import { updateChatUpstream } from "./update-chat-upstream";

export const chatUpstreamRoutes = routeGroup("Chat upstreams", "Your own servers with OpenAI's API", [
  route("POST", "/v1/gateway/upstreams", createChatUpstream),
  route("GET", "/v1/gateway/upstreams", listChatUpstreams),
  route("GET", "/v1/gateway/upstreams/{id}", getChatUpstream),
  route("PATCH", "/v1/gateway/upstreams/{id}", updateChatUpstream),
  route("DELETE", "/v1/gateway/upstreams/{id}", deleteChatUpstream),
]);
