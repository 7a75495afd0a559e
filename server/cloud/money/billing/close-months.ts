import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import type { Clock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import type { Mode } from "../../../operation/actor";
import { INVOICE_ID_PREFIX } from "./invoice";
import { linesOf } from "./invoice-lines";
import { insertInvoice, invoicedIn } from "./invoices.sql";
import { firstRunAt, hasOpenRuns, meteredTenants } from "./metered-runs.sql";
import { minorOf } from "./money";
import { monthAfter, monthOf, monthsToClose, periodOf } from "./months";
import { readUsage, sumNanos } from "./usage";
import { dailyTenants, firstUsageDay } from "./usage-days.sql";

export interface ClosingParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  currency: string;
  log: Pick<Logger, "info" | "warn">;
}

/**
 * Creates the invoices, as drafts, of every month that ended at least 6 hours ago and is not closed: one for each tenant
 * and mode with usage that has a price. A month stays unclosed while a run that began in it may yet have ended in it; the
 * next call then creates the invoices that are missing. Any number of processes may do this, and be killed, at any time.
 */
export async function closeMonths(parts: ClosingParts): Promise<void> {
  const now = parts.clock.now();
  for (const month of monthsToClose(await firstMonth(parts, now), now)) {
    if (!(await createInvoices(parts, month, now))) return;
    await parts.db.closedMonth.createMany({ data: [{ month, closedAt: now }], skipDuplicates: true });
  }
}

async function firstMonth({ db, sql }: ClosingParts, now: Date): Promise<string> {
  const last = await db.closedMonth.findFirst({ orderBy: { month: "desc" } });
  if (last) return monthAfter(last.month);
  const first = [await firstRunAt(sql, now), await firstUsageDay(sql)].filter((at) => at !== null);
  return monthOf(new Date(Math.min(now.getTime(), ...first.map((at) => at.getTime()))));
}

/** Returns whether every tenant that needs an invoice of the month has one. */
async function createInvoices(parts: ClosingParts, month: string, now: Date): Promise<boolean> {
  const { sql, log } = parts;
  const period = periodOf(month);
  const tenants = [
    ...(await meteredTenants(sql, { ...period, now })),
    ...(await dailyTenants(sql, { ...period, services: ["queues", "storage"] })),
  ];
  const done = await invoicedIn(sql, month);
  let isComplete = true;
  for (const { tenantId, mode } of tenants) {
    if (done.has(`${tenantId} ${mode}`)) continue;
    done.add(`${tenantId} ${mode}`);
    if (await hasOpenRuns(sql, { tenantId, mode, before: period.to })) {
      log.warn({ tenant: tenantId, mode, month }, "an invoice waits for a pod whose node does not report");
      isComplete = false;
    } else await createInvoice(parts, { tenantId, mode, month, now });
  }
  return isComplete;
}

interface InvoiceMonth {
  tenantId: string;
  mode: Mode;
  month: string;
  now: Date;
}

async function createInvoice({ sql, currency, log }: ClosingParts, due: InvoiceMonth): Promise<void> {
  const { now, ...of } = due;
  // Ids, and so lists, are in the order of months, also where several months are closed at once.
  const id = newId(INVOICE_ID_PREFIX, periodOf(of.month).to.getTime());
  const isNew = await inTransaction(sql, async (client) => {
    const lines = linesOf(await readUsage(client, { ...due, ...periodOf(of.month), byDay: false, byProject: false }));
    if (lines.length === 0) return false;
    const exactNanos = sumNanos(lines);
    const totalMinor = minorOf(exactNanos, currency);
    return insertInvoice(client, { id, ...of, currency, exactNanos, totalMinor, createdAt: now }, lines);
  });
  if (isNew) log.info({ invoice: id, tenant: of.tenantId, mode: of.mode, month: of.month }, "created an invoice");
}
