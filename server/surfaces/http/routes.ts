import { adsRoutes, orderReportRoutes, servingRoutes } from "../../ads/ads-routes";
import { cloudParts } from "../../cloud/cloud-parts";
import { identityRoutes } from "../../identity/identity-routes";
import { routesOf, type TaggedRoute } from "../../operation/route";

const cloudRoutes = [...cloudParts.routes].sort((one, other) => (one.tag < other.tag ? -1 : 1));

/** Every route of `/v1`; those of the platform by the names of their sections. */
export const platformGroups = [...identityRoutes, ...adsRoutes, ...cloudRoutes];
export const platformRoutes: readonly TaggedRoute[] = routesOf(platformGroups);

/** The routes of `/api/v1` for channel keys. */
export const offersGroups = servingRoutes;
export const offersRoutes: readonly TaggedRoute[] = routesOf(offersGroups);

/** The routes of `/api/v1` for platform keys. */
export const orderGroups = orderReportRoutes;
export const orderRoutes: readonly TaggedRoute[] = routesOf(orderGroups);
