import { changingGet, route, routeGroup } from "../../operation/route";
import { followClick } from "../clicks/follow-click";
import { followPixel } from "../conversions/follow-pixel";
import { reportImpressions } from "../impressions/report-impressions";
import { reportSignals } from "../signals/report-signals";
import { getOffers } from "./get-offers";
import { serveOffers } from "./serve-offers";

/** Lets any page embed the image. */
export const PIXEL_PATH = "/api/v1/conversions/pixel.gif";

export const offersRoutes = routeGroup("Offers", "Serving, clicks, impressions and signals", [
  route("POST", "/api/v1/offers", serveOffers),
  changingGet("/api/v1/offers", getOffers),
  route("POST", "/api/v1/signals", reportSignals),
  changingGet("/api/v1/clicks/{offer_id}", followClick),
  route("POST", "/api/v1/impressions/batch", reportImpressions),
  changingGet(PIXEL_PATH, followPixel),
]);
