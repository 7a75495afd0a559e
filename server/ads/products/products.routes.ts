import { dashboardRead, route, routeGroup } from "../../operation/route";
import { countProducts } from "./count-products";
import { deleteProduct } from "./delete-product";
import { getProduct } from "./get-product";
import { importProducts } from "./import-products";
import { listProducts } from "./list-products";
import { restoreProduct } from "./restore-product";

export const productRoutes = routeGroup("Products", "A campaign's catalogue, imported as a feed", [
  route("POST", "/v1/ads/campaigns/{id}/products", importProducts),
  route("GET", "/v1/ads/campaigns/{id}/products", listProducts),
  route("GET", "/v1/ads/campaigns/{id}/products/{product_id}", getProduct),
  route("DELETE", "/v1/ads/campaigns/{id}/products/{product_id}", deleteProduct),
  route("POST", "/v1/ads/campaigns/{id}/products/{product_id}/restore", restoreProduct),
  dashboardRead(countProducts),
]);
