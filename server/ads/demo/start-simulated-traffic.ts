import { addJob } from "../../engines/jobs/add-job";
import type { Prisma } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import { NANOS_PER_MICRO } from "../../kernel/money";
import type { SeedDemoCtx } from "./seed-demo";
import {
  PARTNER_BRANDS,
  PARTNER_NAME,
  partnerIdOf,
  SIMULATED_CHANNELS_OF_DEMO,
  simulatedChannelId,
  simulatedId,
} from "./simulated-site";
import { unfinishedTraffic } from "./simulated-traffic.sql";

/** The job that writes what is not written yet. */
export const WRITE_SIMULATED_TRAFFIC = "write_simulated_traffic";

const JOB = { task: WRITE_SIMULATED_TRAFFIC, key: WRITE_SIMULATED_TRAFFIC };

const DAY_MS = 86_400_000;
const DAYS = 30;
/** More than the simulated charges of 30 days. */
const PARTNER_CREDIT_MICROS = 2_500_000_000n;

export interface StartSimulatedTraffic {
  tenantId: string;
  /** Offers link to `<landingBase>/<slug>`. */
  landingBase: string;
}

/**
 * Gives the demo tenant two channels and a tenant that advertises on them, and schedules 30 days of simulated traffic up
 * to the last midnight in UTC. Once per tenant, in one transaction: later calls change nothing.
 */
export async function startSimulatedTraffic(ctx: SeedDemoCtx, input: StartSimulatedTraffic): Promise<void> {
  const now = ctx.clock.now();
  // No day has both simulated and real traffic.
  const toMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const from = new Date(toMs - DAYS * DAY_MS);
  const partnerId = partnerIdOf(input.tenantId);
  await ctx.db.$transaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO simulated_traffic (tenant_id, partner_id, from_at, to_at, written_to)
      VALUES (${input.tenantId}, ${partnerId}, ${from}, ${new Date(toMs)}, ${from}) ON CONFLICT DO NOTHING`;
    if (made === 0) return;
    // Everything exists since before its first event.
    const createdAt = from;
    await makeChannels(tx, { ...input, createdAt });
    await makePartner(tx, { ...input, partnerId, createdAt });
    await addJob(tx, JOB, {});
  });
}

/**
 * Schedules what an earlier process left unwritten: the job of a killed process is locked for hours. Two jobs at once
 * write nothing twice.
 */
export async function resumeSimulatedTraffic({ sql }: Pick<SeedDemoCtx, "sql">): Promise<void> {
  if ((await unfinishedTraffic(sql)).length > 0) await addJob(sql, JOB, {});
}

interface Making extends StartSimulatedTraffic {
  createdAt: Date;
}

async function makeChannels(tx: Prisma.TransactionClient, { tenantId, createdAt }: Making): Promise<void> {
  const shared = { tenantId, mode: "live" as const, createdAt, updatedAt: createdAt };
  const data = SIMULATED_CHANNELS_OF_DEMO.map(({ slug, name }) => ({
    ...shared,
    id: simulatedChannelId(tenantId, slug),
    name,
  }));
  await tx.channel.createMany({ data });
}

/** Its campaigns have ended and it has no user, so nothing of it is ever served. */
async function makePartner(
  tx: Prisma.TransactionClient,
  { partnerId, createdAt, landingBase }: Making & { partnerId: string },
): Promise<void> {
  await tx.tenant.create({ data: { id: partnerId, name: PARTNER_NAME, isDemo: true, createdAt } });
  const amountNanos = PARTNER_CREDIT_MICROS * NANOS_PER_MICRO;
  await tx.balanceEntry.create({
    data: {
      id: newId("bal", createdAt.getTime()),
      tenantId: partnerId,
      kind: "credit",
      amountNanos,
      note: "Simulated",
      actor: "operator",
      at: createdAt,
    },
  });
  await tx.tenantBalance.create({ data: { tenantId: partnerId, creditedNanos: amountNanos } });
  const dates = { createdAt, updatedAt: createdAt };
  for (const { slug, name, model, bidMicros } of PARTNER_BRANDS) {
    const [advertiserId, campaignId] = [simulatedId("adv", partnerId, slug), simulatedId("cmp", partnerId, slug)];
    await tx.advertiser.create({ data: { id: advertiserId, tenantId: partnerId, name, ...dates } });
    await tx.campaign.create({
      data: {
        id: campaignId,
        tenantId: partnerId,
        advertiserId,
        mode: "live",
        name,
        model,
        ...dates,
        bidMicros: BigInt(bidMicros),
        reach: "network",
        status: "ended",
      },
    });
    const landingUrl = `${landingBase}/${slug}`;
    const id = simulatedId("crv", partnerId, slug);
    await tx.creative.create({
      data: { id, campaignId, title: name, content: name, cta: "Open", landingUrl, ...dates },
    });
  }
}
