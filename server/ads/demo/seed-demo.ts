import type { Pool } from "pg";
import type { Prisma, PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { sha256 } from "../../kernel/secrets";
import type { Mode } from "../../operation/actor";
import { type DemoBrand, demoBrands, fiveStars, productsOf } from "./demo-brand";

export interface SeedDemoCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
}

export interface SeedDemoInput {
  tenantId: string;
  /** Offers link to `<landingBase>/<slug>`, pages of this installation. */
  landingBase: string;
  /** The origin of the live channel's browser keys: the installation's own demo page. */
  origin: string;
  /** Of all prices. */
  currency: string;
}

const MODES: readonly Mode[] = ["live", "test"];

/**
 * Gives the demo tenant a channel and 25 network campaigns with about 150 products in both modes, so that every new
 * publisher gets offers immediately. Ids are derived from the tenant, so seeding again restores this state.
 */
export async function seedDemo(ctx: SeedDemoCtx, input: SeedDemoInput): Promise<{ channelId: string }> {
  const now = ctx.clock.now();
  await ctx.db.$transaction(
    async (db) => {
      for (const mode of MODES) await putChannel(db, { ...input, mode, now });
      const seedings = demoBrands().map((brand) => ({ ...input, brand, now }));
      for (const seeding of seedings) {
        for (const mode of MODES) {
          await putAdvertiser(db, { ...seeding, mode });
          await putCampaign(db, { ...seeding, mode });
        }
      }
      await putItems(
        db,
        MODES.flatMap((mode) => seedings.map((seeding) => ({ ...seeding, mode }))),
      );
    },
    { timeout: 60_000 },
  );
  return { channelId: idOf("chn", input.tenantId, "live") };
}

type Db = Prisma.TransactionClient;

interface Seeding extends SeedDemoInput {
  now: Date;
}

/** A deterministic id with 26 characters, like any other. */
const idOf = (prefix: string, ...parts: string[]): string => `${prefix}_demo${sha256(parts.join("/")).slice(0, 22)}`;

async function putChannel(db: Db, { tenantId, origin, mode, now }: Seeding & { mode: Mode }): Promise<void> {
  const id = idOf("chn", tenantId, mode);
  const fields = { name: mode === "live" ? "Demo site" : "Demo site (test)", origins: [origin], updatedAt: now };
  const lists = { categories: [], blockedCategories: [], blockedAdvertisers: [] };
  await db.channel.upsert({
    where: { id },
    create: { id, tenantId, mode, createdAt: now, ...lists, ...fields },
    update: { ...fields, archivedAt: null },
  });
}

/** The live advertiser keeps the id from before modes were added. */
const advertiserIdOf = ({ tenantId, brand, mode }: CampaignSeeding): string =>
  mode === "live" ? idOf("adv", tenantId, brand.slug) : idOf("adv", tenantId, brand.slug, mode);

async function putAdvertiser(db: Db, seeding: CampaignSeeding): Promise<void> {
  const { tenantId, brand, mode, now } = seeding;
  const id = advertiserIdOf(seeding);
  const fields = { name: brand.name, domain: `${brand.slug}.example`, updatedAt: now };
  await db.advertiser.upsert({
    where: { id },
    create: { id, tenantId, mode, createdAt: now, ...fields },
    update: { ...fields, archivedAt: null },
  });
}

interface CampaignSeeding extends Seeding {
  brand: DemoBrand;
  mode: Mode;
}

async function putCampaign(db: Db, seeding: CampaignSeeding): Promise<void> {
  const { tenantId, brand, mode, now } = seeding;
  const id = campaignIdOf(seeding);
  const targeting = {
    geos: brand.geos,
    devices: brand.devices,
    locales: brand.locales,
    placements: [],
    categories: [brand.category],
    channels: [],
  };
  const fields = {
    name: mode === "live" ? brand.name : `${brand.name} (test)`,
    model: brand.model,
    bidMicros: BigInt(brand.bidMicros),
    reach: "network" as const,
    status: "active" as const,
    targeting,
    advertiserId: advertiserIdOf(seeding),
    keywords: brand.keywords.map(keywordOf),
    updatedAt: now,
  };
  await db.campaign.upsert({
    where: { id },
    create: { id, tenantId, mode, createdAt: now, ...fields },
    update: { ...fields, archivedAt: null },
  });
}

function keywordOf(keyword: string): { text: string; match: string } {
  const [match = "", text = ""] = keyword.split(":");
  return { text, match };
}

/** Replaces all creatives and products: hundreds of rows in four statements. */
async function putItems(db: Db, seedings: readonly CampaignSeeding[]): Promise<void> {
  const creatives = seedings.map(creativeRow);
  const products = seedings.flatMap(productRows);
  await db.creative.deleteMany({ where: { id: { in: creatives.map(({ id }) => id) } } });
  await db.creative.createMany({ data: creatives });
  await db.product.deleteMany({ where: { id: { in: products.map(({ id }) => id) } } });
  await db.product.createMany({ data: products });
}

const campaignIdOf = ({ tenantId, brand, mode }: CampaignSeeding): string => idOf("cmp", tenantId, brand.slug, mode);

function creativeRow(seeding: CampaignSeeding): Prisma.CreativeCreateManyInput & { id: string } {
  const { brand, landingBase, currency, now } = seeding;
  const campaignId = campaignIdOf(seeding);
  return {
    id: idOf("crv", campaignId),
    campaignId,
    title: brand.title,
    content: brand.content,
    cta: brand.cta,
    landingUrl: `${landingBase}/${brand.slug}`,
    product: { title: brand.title, category: brand.category },
    ...(brand.price && { price: { ...brand.price, currency } }),
    ...(brand.rating && { rating: fiveStars(brand.rating) }),
    createdAt: now,
    updatedAt: now,
  };
}

function productRows(seeding: CampaignSeeding): (Prisma.ProductCreateManyInput & { id: string })[] {
  const { brand, landingBase, origin, currency, now } = seeding;
  const campaignId = campaignIdOf(seeding);
  return productsOf(brand).map((product, i) => {
    const externalId = `${brand.slug}-${i + 1}`;
    return {
      id: idOf("prd", campaignId, externalId),
      campaignId,
      externalId,
      title: `${brand.name} ${product.title}`,
      description: product.description,
      link: `${landingBase}/${externalId}`,
      imageLink: `${origin}/demo/pictures/${product.picture}.svg`,
      brand: brand.name,
      category: product.category,
      currency,
      price: product.amount,
      originalPrice: product.originalAmount ?? null,
      rating: product.rating,
      createdAt: now,
      updatedAt: now,
    };
  });
}
