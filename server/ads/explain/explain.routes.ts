import { route, routeGroup } from "../../operation/route";
import { explainOffers } from "./explain-offers";

export const explainRoutes = routeGroup("Explain", "Why offers are shown or left out", [
  route("POST", "/v1/ads/explain", explainOffers),
]);
