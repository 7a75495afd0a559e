import type { RouteGroup } from "../operation/route";
import { advertiserRoutes } from "./advertisers/advertisers.routes";
import { balanceRoutes } from "./balances/balance.routes";
import { campaignRoutes } from "./campaigns/campaigns.routes";
import { channelRoutes } from "./channels/channels.routes";
import { conversionRoutes, orderRoutes } from "./conversions/conversions.routes";
import { creativeRoutes } from "./creatives/creatives.routes";
import { explainRoutes } from "./explain/explain.routes";
import { feedScheduleRoutes } from "./feed-schedules/feed-schedules.routes";
import { offersRoutes } from "./offers/offers.routes";
import { productRoutes } from "./products/products.routes";
import { reportRoutes } from "./reports/reports.routes";
import { statementRoutes } from "./statements/statements.routes";
import { userRoutes } from "./users/users.routes";

/** Under `/v1/ads`, with platform keys and session tokens. */
export const adsRoutes: readonly RouteGroup[] = [
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
];

/** Under `/api/v1`, with channel keys. */
export const servingRoutes: readonly RouteGroup[] = [offersRoutes];

/** Under `/api/v1`, with platform keys. */
export const orderReportRoutes: readonly RouteGroup[] = [orderRoutes];
