import { sha256 } from "../../kernel/secrets";

/**
 * Ids of simulated channels, campaigns and tenants say what they are wherever they appear. They sort before all other
 * ids, so lists, newest first, begin with what is real.
 */
export const simulatedId = (prefix: string, ...parts: string[]): string =>
  `${prefix}_0simulated${sha256(parts.join("/")).slice(0, 16)}`;

/** Where simulated visitors are: two invented publications of the demo tenant. */
export const SIMULATED_CHANNELS_OF_DEMO = [
  { slug: "magazine", name: "Trail & Table magazine (simulated)", placement: "sponsored_result", weight: 62 },
  { slug: "app", name: "Price finder app (simulated)", placement: "inline", weight: 38 },
] as const;

export const PARTNER_NAME = "Simulated advertisers (demo)";

/** Invented brands of the partner tenant, whose campaigns pay for simulated offers and never serve. */
export const PARTNER_BRANDS = [
  { slug: "nordlys", name: "Nordlys Travel (simulated)", model: "cpc", bidMicros: 620_000 },
  { slug: "casa-verde", name: "Casa Verde Home (simulated)", model: "cpc", bidMicros: 480_000 },
  { slug: "brightpath", name: "Brightpath Courses (simulated)", model: "cpc", bidMicros: 550_000 },
  { slug: "kitto", name: "Kitto Groceries (simulated)", model: "cpm", bidMicros: 4_200_000 },
] as const;

export const simulatedChannelId = (tenantId: string, slug: string): string => simulatedId("chn", tenantId, slug);
export const partnerIdOf = (tenantId: string): string => simulatedId("ten", tenantId);
