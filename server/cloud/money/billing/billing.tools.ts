import { extraTool, tool } from "../../../operation/tool";
import { getUpcomingInvoice } from "./get-upcoming-invoice";
import { getUsage } from "./get-usage";
import { listInvoices } from "./list-invoices";

const without = ["mode"];

export const billingTools = [
  tool("svc_billing_usage days:i", getUsage, {
    description:
      "What was used and what it costs, by service and SKU: of the current month, or of the last `days` days, today included. Usage of test keys is priced but never charged.",
  }),
  extraTool("svc_billing_upcoming_invoice", getUpcomingInvoice, { without }),
  extraTool("svc_billing_invoices_list", listInvoices, { without }),
];
