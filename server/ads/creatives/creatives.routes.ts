import { dashboardChange, route, routeGroup } from "../../operation/route";
import { copyCampaign } from "./copy-campaign";
import { createCreative } from "./create-creative";
import { deleteCreative } from "./delete-creative";
import { getCreative } from "./get-creative";
import { listCreatives } from "./list-creatives";
import { restoreCreative } from "./restore-creative";
import { updateCreative } from "./update-creative";

export const creativeRoutes = routeGroup("Creatives", "The content of offers and their landing pages", [
  route("POST", "/v1/ads/campaigns/{id}/creatives", createCreative),
  route("GET", "/v1/ads/campaigns/{id}/creatives", listCreatives),
  route("GET", "/v1/ads/campaigns/{id}/creatives/{creative_id}", getCreative),
  route("PATCH", "/v1/ads/campaigns/{id}/creatives/{creative_id}", updateCreative),
  route("DELETE", "/v1/ads/campaigns/{id}/creatives/{creative_id}", deleteCreative),
  route("POST", "/v1/ads/campaigns/{id}/creatives/{creative_id}/restore", restoreCreative),
  dashboardChange(copyCampaign),
]);
