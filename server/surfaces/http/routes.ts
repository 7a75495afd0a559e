import { adsRoutes, orderReportRoutes, servingRoutes } from "../../ads/ads-routes";
import { cloudParts } from "../../cloud/cloud-parts";
import { identityRoutes, tokenRoutes } from "../../identity/identity-routes";
import { type RouteGroup, routesOf, type TaggedRoute } from "../../operation/route";

const cloudRoutes: readonly RouteGroup[] = [...cloudParts.routes].sort((one, other) => (one.tag < other.tag ? -1 : 1));

/** Every route of `/v1`; those of the platform by the names of their sections. */
export const platformGroups: readonly RouteGroup[] = [...tokenRoutes, ...identityRoutes, ...adsRoutes, ...cloudRoutes];
export const platformRoutes: readonly TaggedRoute[] = routesOf(platformGroups);

/** The routes of `/api/v1` for channel keys. */
export const offersGroups: readonly RouteGroup[] = servingRoutes;
export const offersRoutes: readonly TaggedRoute[] = routesOf(offersGroups);

/** The routes of `/api/v1` for platform keys. */
export const orderGroups: readonly RouteGroup[] = orderReportRoutes;
export const orderRoutes: readonly TaggedRoute[] = routesOf(orderGroups);
