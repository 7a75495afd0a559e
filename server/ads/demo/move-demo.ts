import type { SeedDemoCtx } from "./seed-demo";

export interface MoveDemo {
  tenantId: string;
  channelId: string;
  /** The old and the new origin of this installation. */
  from: string;
  to: string;
}

/**
 * Updates the demo's landing links and pictures and its channel's origin after svc moved to another port or name;
 * edited values are not changed.
 */
export async function moveDemo(
  { db, sql, clock }: SeedDemoCtx,
  { tenantId, channelId, from, to }: MoveDemo,
): Promise<void> {
  const channel = await db.channel.findUnique({ where: { id: channelId, tenantId } });
  if (channel && !channel.origins.includes(to)) {
    const origins = [...channel.origins.filter((origin) => origin !== from), to];
    await db.channel.update({ where: { id: channelId }, data: { origins, updatedAt: clock.now() } });
  }
  if (from === to) return;
  const values = [tenantId, `${from}/`, `${to}/`, clock.now()];
  await sql.query(linksOf("creatives", "landing_url"), values);
  await sql.query(linksOf("products", "link"), values);
  await sql.query(linksOf("products", "image_link"), values);
}

const linksOf = (table: "creatives" | "products", column: "landing_url" | "link" | "image_link"): string => `
  UPDATE ${table} SET ${column} = $3 || substr(${column}, length($2) + 1), updated_at = $4
  WHERE campaign_id IN (SELECT id FROM campaigns WHERE tenant_id = $1) AND starts_with(${column}, $2)`;
