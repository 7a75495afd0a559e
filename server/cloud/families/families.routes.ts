import { route, routeGroup } from "../../operation/route";
import { getResourceUsage } from "./get-resource-usage";
import { getSkuPrice } from "./get-sku-price";
import { listSkus } from "./list-skus";

export const familyRoutes = routeGroup("SKUs", "What resources cost, and what they used", [
  route("GET", "/v1/skus", listSkus),
  route("GET", "/v1/skus/{sku}/price", getSkuPrice),
  route("GET", "/v1/resources/usage", getResourceUsage),
]);
