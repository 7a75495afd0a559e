import type { Part } from "../../../identity/part";
import { chatBudgetEventKinds } from "./chat-budget.events";
import type { ChatLedger } from "./chat-ledger";
import { chatLedgerRoutes } from "./chat-ledger.routes";
import { chatSettingsEventKinds } from "./chat-settings.events";
import { CHAT_LEDGER_QUOTAS } from "./ledger.quotas";
import { type StartChatLedger, startChatLedger } from "./start-chat-ledger";
import type { AtChatStep } from "./steps";

interface Needs extends Omit<StartChatLedger, "roles" | "dataDir" | "atStep"> {
  atChatStep?: AtChatStep | undefined;
  config: { dataDir: string; roles: ReadonlySet<string> };
}

/** Records chat requests and what they cost, against budgets. */
export const chatLedgerPart: Part<Needs, { chatLedger: ChatLedger }, typeof chatLedgerRoutes> = {
  name: "chat ledger",
  routes: [chatLedgerRoutes],
  eventKinds: [...chatBudgetEventKinds, ...chatSettingsEventKinds],
  quotas: Object.values(CHAT_LEDGER_QUOTAS),
  start: (needs) => {
    const { config, atChatStep: atStep } = needs;
    const chat = startChatLedger({ ...needs, roles: config.roles, dataDir: config.dataDir, atStep });
    return { gives: { chatLedger: chat.ledger }, tasks: chat.tasks, crontab: [chat.crontab], stop: () => chat.stop() };
  },
};
