import type { Prisma } from "../../engines/postgres/generated/client";

/** Locks a campaign's row until the transaction ends, so that it cannot change between check and write. */
export async function lockCampaign(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM campaigns WHERE id = ${id} FOR UPDATE`;
}

/**
 * Prevents an advertiser from being archived until the transaction ends; campaign creations do not block each other.
 */
export async function lockAdvertiser(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM advertisers WHERE id = ${id} FOR SHARE`;
}

/** Makes every process reload a campaign's products, because their indexing depends on the campaign's languages. */
export async function touchProducts(tx: Prisma.TransactionClient, campaignId: string): Promise<void> {
  await tx.$executeRaw`UPDATE products SET id = id WHERE campaign_id = ${campaignId} AND archived_at IS NULL`;
}
