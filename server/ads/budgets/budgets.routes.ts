import { dashboardRead, routeGroup } from "../../operation/route";
import { getCampaignPlan } from "./get-campaign-plan";
import { getCampaignSpend } from "./get-campaign-spend";

export const budgetRoutes = routeGroup("Budgets", "What campaigns spend, and are expected to", [
  dashboardRead(getCampaignSpend),
  dashboardRead(getCampaignPlan),
]);
