import { route, routeGroup } from "../../operation/route";
import { getBalance } from "./get-balance";

export const balanceRoutes = routeGroup(
  "Balance",
  "Prepaid money that live network campaigns spend on channels of other tenants",
  [route("GET", "/v1/ads/balance", getBalance)],
);
