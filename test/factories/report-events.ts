import type { ClickHouseClient } from "@clickhouse/client";
import { uuidv7 } from "../../server/kernel/ids";
import type { RawEvent } from "./report-oracle";

export const TENANTS = ["ten_a", "ten_b", "ten_c"];

export interface Invented {
  count: number;
  seed: number;
  fromMs: number;
  toMs: number;
}

/** Events of three tenants that publish and buy from one another; always the same for the same seed. */
export function inventEvents({ count, seed, fromMs, toMs }: Invented): RawEvent[] {
  const random = randomOf(seed);
  const at = () => new Date(fromMs + Math.floor(random() * (toMs - fromMs))).toISOString();
  return Array.from({ length: count }, () => invent(random, at())).flatMap((event) =>
    event.row.source === "pixel" && random() < 0.5 ? [event, { ...event, row: { ...event.row, sign: -1 } }] : [event],
  );
}

/** Inserts events as svc does, in batches of one table each. */
export async function sendEvents(client: ClickHouseClient, events: RawEvent[]): Promise<void> {
  for (const table of new Set(events.map((event) => event.table))) {
    const values = events.filter((event) => event.table === table).map((event) => event.row);
    for (let at = 0; at < values.length; at += 500) {
      await client.insert({ table, values: values.slice(at, at + 500), format: "JSONEachRow" });
    }
  }
}

/** Mulberry32: the same numbers in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function invent(random: () => number, at: string): RawEvent {
  const pick = <T>(items: T[]): T => items[Math.floor(random() * items.length)] as T;
  const table = pick(["requests", "offers", "impressions", "impressions", "clicks", "conversions"]);
  const [tenant_id, buyer] = [pick(TENANTS), pick(TENANTS)];
  const isHouse = buyer === "ten_c" && tenant_id !== buyer;
  const isValid = random() < 0.8;
  const charge = isHouse || !isValid ? 0n : BigInt(Math.floor(random() * 5_000));
  const common = {
    at,
    tenant_id,
    channel_id: `chn_${tenant_id}_${pick([1, 2])}`,
    mode: random() < 0.8 ? "live" : "test",
    placement: pick(["sponsored_result", "sidebar"]),
    geo: pick(["DE", "US", ""]),
    device: pick(["desktop", "mobile"]),
  };
  if (table === "requests") {
    return { table, row: { ...common, request_id: uuidv7(1), locale: "en", served: pick([0, 1, 3]), reason: "" } };
  }
  const campaign = `cmp_${buyer}_${pick([1, 2, 3])}`;
  const bought = { buyer_tenant_id: buyer, campaign_id: campaign, creative_id: `crt_${campaign}`, offer_id: uuidv7(1) };
  if (table === "offers") return { table, row: { ...common, ...bought, house: isHouse ? 1 : 0, price_nanos: 1 } };
  if (table === "conversions") {
    const source = pick(["server", "pixel"]);
    return { table, row: { ...common, ...bought, clicked_at: at, value_micros: 1_999_999, currency: "USD", source } };
  }
  const paid = {
    house: isHouse ? 1 : 0,
    traffic: isValid ? "" : pick(["bot", "duplicate"]),
    charge_nanos: String(charge),
    earning_nanos: String(tenant_id === buyer ? 0n : (charge * 7n) / 10n),
  };
  return { table, row: { ...common, ...bought, ...paid, served_at: at } };
}
