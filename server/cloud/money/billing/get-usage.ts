import { z } from "zod";
import { noSuchProject } from "../../../identity/projects-called";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { decimalOf } from "../../../kernel/money";
import { modeOf } from "../../../operation/actor";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { Amount, meteredFields, modeChoice, SIMULATED } from "./billing-fields";
import { meterOf, quantityText } from "./services";
import { readUsage, sumNanos, type UsageRow } from "./usage";
import { measuredUntil } from "./usage-days.sql";
import { common, groupsOf, groupUsage, USAGE_GROUPS, type UsageGroup, type UsageSum } from "./usage-groups";
import { DAYS_MAX, usagePeriod } from "./usage-period";

const ROWS_MAX = 5000;
const { service, sku, purchase, quantity, unit, unit_price, price_quantity } = meteredFields;

export const UsageReport = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime().describe("Exclusive; now for a period that is not over"),
    currency: z.string(),
    simulated: z.boolean().describe(SIMULATED),
    final: z.boolean().describe("false while something of it is still running or being counted"),
    total: Amount.describe("The exact sum of the amounts of all rows; an invoice rounds it once"),
    measured_at: z.iso
      .datetime()
      .nullable()
      .describe(
        "Until when functions, queues, storage and chat are counted, every 10 minutes; pods are counted until now",
      ),
    data: z.array(
      z.object({
        day: z.iso.date().optional().describe("In UTC"),
        project_id: z.string().optional(),
        service: service.optional(),
        sku: sku.optional(),
        purchase: purchase.optional(),
        quantity: quantity.nullable().describe("In `unit`; null if the row joins different units"),
        unit: unit.nullable(),
        unit_price: unit_price.describe("The price of `price_quantity` units; null: none, or the row joins several"),
        price_quantity: price_quantity.nullable(),
        amount: Amount.nullable().describe("null: nothing is charged"),
        final: z.boolean(),
      }),
    ),
  })
  .meta({ id: "UsageReport" });

/**
 * Returns what a tenant used in a period and what it costs. Throws `invalid_request` for a period or groups that it cannot
 * return, and `not_found` for the project.
 */
export const getUsage = operation({
  id: "getUsage",
  summary: "Get usage and what it costs",
  description:
    "What all projects of the tenant used in one mode, also for a key of one project, because the bill is the tenant's: by default in the current month, in rows by service, SKU, purchase mode and price. Pods that run are metered up to now, and their rows are not final. Amounts are exact: the rows add up to `total` whatever they are grouped by, and `total` of a month is what its invoice rounds. At most 92 days and 5,000 rows.",
  access: "billing:read",
  cost: "report",
  input: z.strictObject({
    from: z.iso.date().optional().describe("The first day, in UTC. Default: the first day of the month"),
    to: z.iso.date().optional().describe("The day after the last one, in UTC. Default: until now"),
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(DAYS_MAX)
      .optional()
      .describe("Instead of `from` and `to`: this many days up to now, today included"),
    group_by: z
      .string()
      .max(100)
      .default("service,sku,purchase,price")
      .describe(`Comma-separated: ${USAGE_GROUPS.join(", ")}; empty: one row for all`),
    project: IdText.optional().describe("Only usage of this project, by its id or name"),
    mode: modeChoice,
  }),
  output: UsageReport,
  example: {
    input: { from: "2026-11-01", group_by: "day,service,sku,purchase,price" },
    output: {
      from: "2026-11-01T00:00:00.000Z",
      to: EXAMPLE_TIME,
      currency: "USD",
      simulated: false,
      final: true,
      total: "4.281",
      measured_at: EXAMPLE_TIME,
      data: [
        {
          day: "2026-11-20",
          service: "pods",
          sku: "h100",
          purchase: "on_demand",
          quantity: "5400",
          unit: "second",
          unit_price: "2.854",
          price_quantity: 3600,
          amount: "4.281",
          final: true,
        },
      ],
    },
  },
  run: async ({ db, sql, actor, clock, currency }: BillingCtx, input) => {
    const groups = groupsOf(input.group_by);
    const now = clock.now();
    const period = usagePeriod(input, now);
    const mode = modeOf(actor, input.mode);
    const projectId = input.project === undefined ? undefined : await projectIdOf({ db, actor }, input.project);
    const rows = await readUsage(sql, {
      ...period,
      now,
      tenantId: actor.tenantId,
      mode,
      projectId,
      byDay: groups.includes("day"),
      byProject: groups.includes("project"),
    });
    const data = groupUsage(rows, groups);
    if (data.length > ROWS_MAX) {
      const sentence = `The usage has more than ${ROWS_MAX} rows; choose fewer groups or a shorter period.`;
      throw new ServiceError("invalid_request", sentence, { param: "group_by" });
    }
    const measured = [...(await measuredUntil(sql)).values()].map((at) => at.getTime());
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      currency,
      simulated: mode === "test",
      final: period.to < now && rows.every(({ isFinal }) => isFinal),
      total: decimalOf(sumNanos(rows)),
      measured_at: measured.length === 0 ? null : new Date(Math.min(...measured)).toISOString(),
      data: data.map((sum) => toRow(sum, groups)),
    };
  },
});

/** Archived projects have usage too. */
async function projectIdOf({ db, actor }: Pick<BillingCtx, "db" | "actor">, asked: string): Promise<string> {
  const { tenantId } = actor;
  const found = await db.project.findMany({ where: { tenantId, OR: [{ id: asked }, { name: asked }] } });
  const project = found.find(({ id }) => id === asked) ?? found.find(({ archivedAt }) => !archivedAt) ?? found[0];
  if (!project) throw noSuchProject(asked, "project");
  return project.id;
}

function toRow({ rows, amountNanos, isFinal }: UsageSum, groups: readonly UsageGroup[]) {
  const [first] = rows;
  const meter = common(rows, meterOf);
  const price = common(rows, ({ priceNanos }) => priceNanos) ?? null;
  const has = (group: UsageGroup) => groups.includes(group);
  return {
    ...(has("day") && { day: first.day ?? "" }),
    ...(has("project") && { project_id: first.projectId ?? "" }),
    ...(has("service") && { service: first.service }),
    ...(has("sku") && { sku: first.sku }),
    ...(has("purchase") && { purchase: first.purchase }),
    quantity: meter ? quantityText(first, sumQuantity(rows)) : null,
    unit: meter?.unit ?? null,
    unit_price: meter && price !== null ? decimalOf(price) : null,
    price_quantity: meter?.priceQuantity ?? null,
    amount: amountNanos === null ? null : decimalOf(amountNanos),
    final: isFinal,
  };
}

const sumQuantity = (rows: readonly UsageRow[]): bigint => rows.reduce((sum, row) => sum + row.quantity, 0n);
