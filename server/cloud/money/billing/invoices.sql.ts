import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";
import type { LineColumns } from "./invoice";

export interface NewInvoice {
  id: string;
  tenantId: string;
  mode: Mode;
  month: string;
  currency: string;
  exactNanos: bigint;
  totalMinor: bigint;
  createdAt: Date;
}

/**
 * Inserts a draft with its lines, in the caller's transaction. Does nothing if the tenant already has an invoice of this
 * mode and month, also if another process inserts it at the same time: this one waits for it.
 */
export async function insertInvoice(
  sql: Pick<Pool, "query">,
  invoice: NewInvoice,
  lines: readonly LineColumns[],
): Promise<boolean> {
  const { id, tenantId, mode, month, currency, exactNanos, totalMinor, createdAt } = invoice;
  const { rowCount } = await sql.query(
    `INSERT INTO invoices (id, tenant_id, mode, month, currency, status, simulated, exact_nanos, total_minor, created_at)
     VALUES ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9) ON CONFLICT (tenant_id, mode, month) DO NOTHING`,
    [id, tenantId, mode, month, currency, mode === "test", exactNanos, totalMinor, createdAt],
  );
  if (rowCount === 0) return false;
  const column = <K extends keyof LineColumns>(name: K) => lines.map((line) => line[name]);
  await sql.query(
    `INSERT INTO invoice_lines
       (invoice_id, number, service, sku, purchase, unit, quantity, price_quantity, price_nanos, amount_nanos)
     SELECT $1, row_number() OVER (ORDER BY l.number), service, sku, purchase, unit, quantity, price_quantity, price_nanos,
       amount_nanos
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::int[], $8::bigint[], $9::bigint[])
       WITH ORDINALITY AS l(service, sku, purchase, unit, quantity, price_quantity, price_nanos, amount_nanos, number)`,
    [
      id,
      column("service"),
      column("sku"),
      column("purchase"),
      column("unit"),
      column("quantity"),
      column("priceQuantity"),
      column("priceNanos"),
      column("amountNanos"),
    ],
  );
  return true;
}

/** Tenants and modes that have an invoice of a month, as `tenant mode`. */
export async function invoicedIn(sql: Pick<Pool, "query">, month: string): Promise<Set<string>> {
  const { rows } = await sql.query<{ key: string }>(
    "SELECT tenant_id || ' ' || mode AS key FROM invoices WHERE month = $1",
    [month],
  );
  return new Set(rows.map(({ key }) => key));
}
