import { dashboardRead, routeGroup } from "../../operation/route";
import { listAttention } from "./list-attention";

export const attentionRoutes = routeGroup("Attention", "What keeps channels and campaigns from serving", [
  dashboardRead(listAttention),
]);
