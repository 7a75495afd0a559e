import type { Prisma } from "../../engines/postgres/generated/client";

/** Holds a campaign's row until the transaction ends, so that what is checked together is written together. */
export async function lockCampaign(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM campaigns WHERE id = ${id} FOR UPDATE`;
}

/** Keeps an advertiser from being archived until the transaction ends; creators of campaigns do not wait on each other. */
export async function holdAdvertiser(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM advertisers WHERE id = ${id} FOR SHARE`;
}

/** Has every process read a campaign's products again; how they are indexed depends on the campaign's languages. */
export async function touchProducts(tx: Prisma.TransactionClient, campaignId: string): Promise<void> {
  await tx.$executeRaw`UPDATE products SET id = id WHERE campaign_id = ${campaignId} AND archived_at IS NULL`;
}
