import { route, routeGroup } from "../../operation/route";
import { listNetworkChannels } from "../network-channels/list-network-channels";
import { createAdvertiser } from "./create-advertiser";
import { deleteAdvertiser } from "./delete-advertiser";
import { getAdvertiser } from "./get-advertiser";
import { listAdvertisers } from "./list-advertisers";
import { requestReview } from "./request-review";
import { restoreAdvertiser } from "./restore-advertiser";
import { updateAdvertiser } from "./update-advertiser";
import { verifyDomain } from "./verify-domain";

export const advertiserRoutes = routeGroup("Advertisers", "Companies and brands that run campaigns", [
  route("POST", "/v1/ads/advertisers", createAdvertiser),
  route("GET", "/v1/ads/advertisers", listAdvertisers),
  route("GET", "/v1/ads/advertisers/{id}", getAdvertiser),
  route("PATCH", "/v1/ads/advertisers/{id}", updateAdvertiser),
  route("DELETE", "/v1/ads/advertisers/{id}", deleteAdvertiser),
  route("POST", "/v1/ads/advertisers/{id}/restore", restoreAdvertiser),
  route("POST", "/v1/ads/advertisers/{id}/verify-domain", verifyDomain),
  route("POST", "/v1/ads/advertisers/{id}/request-review", requestReview),
  route("GET", "/v1/ads/network-channels", listNetworkChannels),
]);
