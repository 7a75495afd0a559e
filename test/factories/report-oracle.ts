/** A row as it is sent to one of the event tables. */
export interface RawEvent {
  table: string;
  row: Record<string, unknown> & { at: string; tenant_id: string; mode: string };
}

interface GateQuery {
  tenant: string;
  mode: string;
  groups: string[];
  timezone: string;
  fromMs: number;
  toMs: number;
}

type Row = Record<string, unknown>;

/**
 * The rows of a report, counted event by event: an independent implementation to compare the rollup and the query with.
 */
export function expectedRows(events: RawEvent[], asked: GateQuery): Row[] {
  const groups = new Map<string, { keys: Row; sums: Map<string, bigint> }>();
  const format = formatIn(asked.timezone);
  for (const event of events) {
    const at = Date.parse(event.row.at);
    if (at < asked.fromMs || at >= asked.toMs || event.row.mode !== asked.mode) continue;
    const seen = seenBy(event, asked.tenant);
    if (!seen) continue;
    const names: Row = { ...seen.names, ...localTime(at, format) };
    const keys = Object.fromEntries(asked.groups.map((group) => [group, names[group]]));
    const entry = groups.get(JSON.stringify(keys)) ?? { keys, sums: new Map<string, bigint>() };
    groups.set(JSON.stringify(keys), entry);
    for (const [name, value] of Object.entries(seen.sums)) entry.sums.set(name, (entry.sums.get(name) ?? 0n) + value);
  }
  return [...groups.values()].map(({ keys, sums }) => ({ ...keys, ...figures(sums) }));
}

function seenBy({ table, row }: RawEvent, tenant: string): { names: Row; sums: Record<string, bigint> } | undefined {
  const [isPublisher, isBuyer] = [row.tenant_id === tenant, row.buyer_tenant_id === tenant];
  if (!isPublisher && !isBuyer) return undefined;
  const isValid = !row.traffic;
  const names = {
    channel: isPublisher ? row.channel_id : "network",
    campaign: table === "requests" ? null : isBuyer ? row.campaign_id : row.house ? "house" : "network",
    creative: isBuyer ? row.creative_id : null,
    placement: row.placement,
    geo: row.geo || null,
    device: row.device,
    traffic: isValid ? "valid" : row.traffic,
  };
  const money = {
    spend: isBuyer ? BigInt(String(row.charge_nanos ?? 0)) : 0n,
    earnings: isPublisher ? BigInt(String(row.earning_nanos ?? 0)) : 0n,
    value: isBuyer ? BigInt(String(row.value_micros ?? 0)) : 0n,
  };
  if (table === "conversions") return { names, sums: conversionSums(row, money.value) };
  if (table === "requests") return { names, sums: { requests: 1n, filled: Number(row.served) > 0 ? 1n : 0n } };
  return { names, sums: { [isValid ? table : `invalid_${table}`]: 1n, ...money } };
}

/** A conversion that only a pixel reported is unverified; a sign of -1 reverts it. */
function conversionSums({ source, sign = 1 }: RawEvent["row"], micros: bigint): Record<string, bigint> {
  const [conversions, value] = [BigInt(Number(sign)), BigInt(Number(sign)) * micros];
  const sums = { conversions, value };
  return source === "pixel" ? { ...sums, unverified_conversions: conversions, unverified_value: value } : sums;
}

const formatIn = (timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    timeZoneName: "longOffset",
  });

function localTime(ms: number, format: Intl.DateTimeFormat): { day: string; hour: string } {
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const day = `${part.year}-${part.month}-${part.day}`;
  const offset = part.timeZoneName?.slice(3) || "+00:00";
  return { day, hour: `${day}T${part.hour}:00:00${offset}` };
}

function figures(sums: Map<string, bigint>): Row {
  const of = (name: string) => Number(sums.get(name) ?? 0n);
  const micros = (name: string) => Math.floor((of(name) + 500) / 1000);
  return {
    requests: of("requests"),
    filled: of("filled"),
    fill_rate: of("requests") === 0 ? null : of("filled") / of("requests"),
    served: of("offers"),
    impressions: of("impressions"),
    viewable_rate: of("offers") === 0 ? null : of("impressions") / of("offers"),
    clicks: of("clicks"),
    invalid_impressions: of("invalid_impressions"),
    invalid_clicks: of("invalid_clicks"),
    ctr: of("impressions") === 0 ? null : of("clicks") / of("impressions"),
    spend_micros: micros("spend"),
    earnings_micros: micros("earnings"),
    conversions: of("conversions"),
    conversion_value_micros: of("value"),
    unverified_conversions: of("unverified_conversions"),
    unverified_conversion_value_micros: of("unverified_value"),
  };
}
