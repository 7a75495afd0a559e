import type { RouteGroup } from "../operation/route";
import { advertiserRoutes } from "./advertisers/advertisers.routes";
import { attentionRoutes } from "./attention/attention.routes";
import { balanceRoutes } from "./balances/balance.routes";
import { budgetRoutes } from "./budgets/budgets.routes";
import { campaignRoutes } from "./campaigns/campaigns.routes";
import { channelRoutes } from "./channels/channels.routes";
import { conversionRoutes, orderRoutes } from "./conversions/conversions.routes";
import { creativeRoutes } from "./creatives/creatives.routes";
import { demoRoutes } from "./demo/demo.routes";
import { explainRoutes } from "./explain/explain.routes";
import { feedScheduleRoutes } from "./feed-schedules/feed-schedules.routes";
import { offersRoutes } from "./offers/offers.routes";
import { productRoutes } from "./products/products.routes";
import { reportRoutes } from "./reports/reports.routes";
import { statementRoutes } from "./statements/statements.routes";
import { userRoutes } from "./users/users.routes";

/** Under `/v1/ads`, with platform keys and session tokens. */
export const adsRoutes = [
  channelRoutes,
  advertiserRoutes,
  campaignRoutes,
  creativeRoutes,
  productRoutes,
  feedScheduleRoutes,
  conversionRoutes,
  balanceRoutes,
  reportRoutes,
  statementRoutes,
  explainRoutes,
  userRoutes,
  attentionRoutes,
  budgetRoutes,
  demoRoutes,
] as const satisfies readonly RouteGroup[];

/** Under `/api/v1`, with channel keys. */
export const servingRoutes = [offersRoutes] as const satisfies readonly RouteGroup[];

/** Under `/api/v1`, with platform keys. */
export const orderReportRoutes = [orderRoutes] as const satisfies readonly RouteGroup[];
