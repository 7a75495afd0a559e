import { dashboardRead, route, routeGroup } from "../../operation/route";
import { deleteFeedSchedule } from "./delete-feed-schedule";
import { getFeedSchedule } from "./get-feed-schedule";
import { readFeedSchedule } from "./read-feed-schedule";
import { requestFeedFetch } from "./request-feed-fetch";
import { setFeedSchedule } from "./set-feed-schedule";

export const feedScheduleRoutes = routeGroup("Feed schedules", "Product feeds that svc fetches from a URL", [
  route("PUT", "/v1/ads/campaigns/{id}/feed-schedule", setFeedSchedule),
  route("GET", "/v1/ads/campaigns/{id}/feed-schedule", getFeedSchedule),
  route("DELETE", "/v1/ads/campaigns/{id}/feed-schedule", deleteFeedSchedule),
  route("POST", "/v1/ads/campaigns/{id}/feed-schedule/fetch", requestFeedFetch),
  dashboardRead(readFeedSchedule),
]);
