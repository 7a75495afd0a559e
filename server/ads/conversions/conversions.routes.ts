import { route, routeGroup } from "../../operation/route";
import { getPixel } from "./get-pixel";
import { listConversions } from "./list-conversions";
import { reportConversion } from "./report-conversion";

export const conversionRoutes = routeGroup(
  "Conversions",
  "Orders, reported by advertisers and attributed to clicks and views",
  [route("GET", "/v1/ads/advertisers/{id}/pixel", getPixel), route("GET", "/v1/ads/conversions", listConversions)],
);

/** Called by advertisers' servers with a platform key, although it is a path of the offers API. */
export const orderRoutes = routeGroup(
  "Conversions",
  "Orders, reported by advertisers and attributed to clicks and views",
  [route("POST", "/api/v1/conversions", reportConversion)],
);
