import type { Pool } from "pg";
import type { Prisma } from "../../engines/postgres/generated/client";
import type { NetworkBuyer } from "./network-blocks";

const BUYERS = `
  SELECT t.id, t.is_demo AS "isHouse",
    EXISTS (
      SELECT FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.tenant_id = t.id AND m.role = 'owner' AND u.email_verified_at IS NOT NULL
    ) AS "emailVerified",
    (coalesce(b.credited_nanos, 0) - coalesce(b.spent_nanos, 0))::text AS "availableNanos"
  FROM tenants t LEFT JOIN tenant_balances b ON b.tenant_id = t.id
  WHERE t.id = ANY ($1::text[])`;

type BuyerRow = Omit<NetworkBuyer, "availableNanos"> & { availableNanos: string };

const buyerOf = (row: BuyerRow): NetworkBuyer => ({ ...row, availableNanos: BigInt(row.availableNanos) });

/** The data that decides about network campaigns of these tenants; tenants that do not exist are omitted. */
export async function readBuyers(sql: Pick<Pool, "query">, tenantIds: readonly string[]): Promise<NetworkBuyer[]> {
  const { rows } = await sql.query<BuyerRow>({ name: "read_buyers", text: BUYERS, values: [tenantIds] });
  return rows.map(buyerOf);
}

/** Like `readBuyers` for one existing tenant, on the caller's connection. */
export async function readBuyer(
  db: Pick<Prisma.TransactionClient, "$queryRawUnsafe">,
  id: string,
): Promise<NetworkBuyer> {
  const [row] = await db.$queryRawUnsafe<BuyerRow[]>(BUYERS, [id]);
  if (!row) throw new Error(`there is no tenant ${id}`);
  return buyerOf(row);
}
