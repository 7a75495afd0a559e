import type { QuietPart } from "../../identity/part";
import { balanceEventKinds } from "./balance.events";
import { balanceRoutes } from "./balance.routes";

/** Prepaid money. */
export const balancesPart: QuietPart<object, typeof balanceRoutes> = {
  name: "balances",
  routes: [balanceRoutes],
  eventKinds: balanceEventKinds,
};
