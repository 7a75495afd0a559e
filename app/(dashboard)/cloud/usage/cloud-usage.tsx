"use client";

import { PageHeader } from "../../components/page-header";
import { RequireScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { BudgetSection } from "./budget-section";
import { InvoiceList } from "./invoice-list";
import { UsageSection } from "./usage-section";

export const CloudUsage = () => (
  <RequireScope scope="billing:read" title="Usage and invoices" what="usage and invoices">
    <Page />
  </RequireScope>
);

function Page() {
  const { mode } = useMode();
  return (
    <>
      <PageHeader
        title="Usage and invoices"
        description="What all projects of the tenant used this month and what it costs. Months and days are in UTC."
      />
      <div className="space-y-6">
        <UsageSection />
        <BudgetSection key={mode} />
        <InvoiceList />
      </div>
    </>
  );
}
