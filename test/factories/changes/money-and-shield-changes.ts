import { putBillingBudget } from "../../../server/cloud/money/billing/put-billing-budget";
import { makeShieldScan } from "../cloud-rows";
import { type Change, inTest, to } from "./change";

export const changes: readonly Change[] = [
  {
    operation: "putBillingBudget",
    actions: ["billing_budget.updated"],
    prepare: () => ({ input: { amount_micros: Math.ceil(Math.random() * 1e9) } }),
  },
  {
    operation: "deleteBillingBudget",
    actions: ["billing_budget.deleted"],
    prepare: async (s) => {
      await putBillingBudget.run(s.owner, putBillingBudget.input.parse({ amount_micros: 1_000_000 }));
      return { input: {} };
    },
  },
  {
    operation: "createShieldScan",
    actions: ["shield_scan.created"],
    events: ["shield_scan.created"],
    prepare: async (s) => to(await s.bucket(), {}, "bucket"),
  },
  {
    operation: "cancelShieldScan",
    actions: ["shield_scan.canceled"],
    events: ["shield_scan.canceled"],
    prepare: async (s, test) => {
      const { project_id: projectId } = await s.bucket();
      const owner = { tenantId: s.owner.actor.tenantId, projectId, mode: "test" as const };
      return { input: { scan_id: (await makeShieldScan(test.app.cloud, owner)).id }, marks: inTest(projectId) };
    },
  },
];
