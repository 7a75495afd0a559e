import { route, routeGroup } from "../../operation/route";
import { getEarningsStatement } from "./get-earnings-statement";
import { getSpendStatement } from "./get-spend-statement";
import { listStatements } from "./list-statements";

export const statementRoutes = routeGroup("Statements", "Earnings, spend and the prepaid balance by month", [
  route("GET", "/v1/ads/statements", listStatements),
  route("GET", "/v1/ads/statements/{month}/earnings", getEarningsStatement),
  route("GET", "/v1/ads/statements/{month}/spend", getSpendStatement),
]);
