import type { AdvertiserCtx } from "../../server/ads/advertisers/advertiser-ctx";
import type { AttentionCtx } from "../../server/ads/attention/attention-ctx";
import type { BalanceCtx } from "../../server/ads/balances/balance-ctx";
import type { BudgetCtx } from "../../server/ads/budgets/budget-ctx";
import type { CampaignCtx } from "../../server/ads/campaigns/campaign-ctx";
import type { ConversionCtx } from "../../server/ads/conversions/conversion-ctx";
import type { EarningsCtx } from "../../server/ads/earnings/earnings-ctx";
import type { ExplainCtx } from "../../server/ads/explain/explain-ctx";
import type { FeedScheduleCtx } from "../../server/ads/feed-schedules/feed-schedule-ctx";
import type { NetworkChannelCtx } from "../../server/ads/network-channels/network-channel-ctx";
import type { ProductCtx } from "../../server/ads/products/product-ctx";
import type { ReportCtx } from "../../server/ads/reports/report-ctx";
import type { StatementCtx } from "../../server/ads/statements/statement-ctx";
import type { UserCtx } from "../../server/ads/users/user-ctx";
import type { ActorCtx } from "../../server/identity/identity-ctx";

/** What the operations under `/v1/ads` use. */
export type AdsCtx = ActorCtx &
  AdvertiserCtx &
  AttentionCtx &
  BalanceCtx &
  BudgetCtx &
  CampaignCtx &
  ConversionCtx &
  CampaignCtx &
  EarningsCtx &
  ExplainCtx &
  FeedScheduleCtx &
  NetworkChannelCtx &
  ProductCtx &
  ReportCtx &
  StatementCtx &
  UserCtx;
