import { route, routeGroup } from "../../../operation/route";
import { deleteBillingBudget } from "./delete-billing-budget";
import { getBillingBudget } from "./get-billing-budget";
import { getInvoice } from "./get-invoice";
import { getUpcomingInvoice } from "./get-upcoming-invoice";
import { getUsage } from "./get-usage";
import { listInvoices } from "./list-invoices";
import { putBillingBudget } from "./put-billing-budget";

export const billingRoutes = routeGroup("Billing", "Usage, what it costs, invoices and budgets", [
  route("GET", "/v1/usage", getUsage),
  route("GET", "/v1/invoices", listInvoices),
  route("GET", "/v1/invoices/upcoming", getUpcomingInvoice),
  route("GET", "/v1/invoices/{id}", getInvoice),
  route("GET", "/v1/billing/budget", getBillingBudget),
  route("PUT", "/v1/billing/budget", putBillingBudget),
  route("DELETE", "/v1/billing/budget", deleteBillingBudget),
]);
