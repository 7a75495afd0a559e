import type { EventKind } from "../identity/events/event-kind";
import { advertiserEventKinds } from "./advertisers/advertiser.events";
import { balanceEventKinds } from "./balances/balance.events";
import { budgetEventKinds } from "./budgets/budget.events";
import { campaignEventKinds } from "./campaigns/campaign.events";

/** The kinds of events of the offers product. */
export const ADS_EVENT_KINDS: readonly EventKind[] = [
  ...campaignEventKinds,
  ...budgetEventKinds,
  ...advertiserEventKinds,
  ...balanceEventKinds,
];
