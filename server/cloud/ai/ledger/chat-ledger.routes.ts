import { route, routeGroup } from "../../../operation/route";
import { createChatBudget } from "./create-chat-budget";
import { deleteChatBudget } from "./delete-chat-budget";
import { getChatBudget } from "./get-chat-budget";
import { getChatRequest } from "./get-chat-request";
import { getChatSettings } from "./get-chat-settings";
import { getChatUsage } from "./get-chat-usage";
import { listChatBudgets } from "./list-chat-budgets";
import { listChatRequests } from "./list-chat-requests";
import { updateChatBudget } from "./update-chat-budget";
import { updateChatSettings } from "./update-chat-settings";

export const chatLedgerRoutes = routeGroup("Gateway", "Budgets, usage, the log and settings of chat requests", [
  route("POST", "/v1/gateway/budgets", createChatBudget),
  route("GET", "/v1/gateway/budgets", listChatBudgets),
  route("GET", "/v1/gateway/budgets/{budget}", getChatBudget),
  route("PATCH", "/v1/gateway/budgets/{budget}", updateChatBudget),
  route("DELETE", "/v1/gateway/budgets/{budget}", deleteChatBudget),
  route("GET", "/v1/gateway/requests", listChatRequests),
  route("GET", "/v1/gateway/requests/{request}", getChatRequest),
  route("GET", "/v1/gateway/usage", getChatUsage),
  route("GET", "/v1/gateway/settings", getChatSettings),
  route("PATCH", "/v1/gateway/settings", updateChatSettings),
]);
