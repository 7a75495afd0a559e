import { adsParts } from "../../ads/ads-parts";
import { orderRoutes as orderGroup } from "../../ads/conversions/conversions.routes";
import { offersRoutes as offersGroup } from "../../ads/offers/offers.routes";
import { cloudParts } from "../../cloud/cloud-parts";
import { identityParts } from "../../identity/identity-parts";
import { type RouteGroup, routesOf, type TaggedRoute } from "../../operation/route";

const cloudRoutes: readonly RouteGroup[] = [...cloudParts.routes].sort((one, other) => (one.tag < other.tag ? -1 : 1));

/** Every route of `/v1`; those of the platform by the names of their sections. */
export const platformGroups: readonly RouteGroup[] = [...identityParts.routes, ...adsParts.routes, ...cloudRoutes];
export const platformRoutes: readonly TaggedRoute[] = routesOf(platformGroups);

/** The routes of `/api/v1` for channel keys. */
export const offersGroups: readonly RouteGroup[] = [offersGroup];
export const offersRoutes: readonly TaggedRoute[] = routesOf(offersGroups);

/** The routes of `/api/v1` for platform keys. */
export const orderGroups: readonly RouteGroup[] = [orderGroup];
export const orderRoutes: readonly TaggedRoute[] = routesOf(orderGroups);
