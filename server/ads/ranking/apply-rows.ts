import type { Logger } from "pino";
import type { CatalogTable } from "./catalog.sql";
import {
  type AdvertiserRow,
  advertiserFrom,
  type CampaignRow,
  type ChannelRow,
  type CreativeRow,
  campaignFrom,
  channelFrom,
  creativeFrom,
  type ProductRow,
  productFrom,
} from "./catalog-rows";
import type { ChannelKeys } from "./channel-keys";
import type { Indexer } from "./indexer";
import type { ItemText } from "./item-words";
import type { PreparedItem } from "./prepare-item";
import type { ItemDetail, ServingItem } from "./serving";
import type { ServingState } from "./serving-state";
import { withSpend } from "./spend";

export interface Mirror {
  state: ServingState;
  keys: ChannelKeys;
  /** Prepares the items of large changes; without one this thread does. */
  indexer?: Indexer | undefined;
  log: Pick<Logger, "warn">;
}

/** A row, and its item ready for the index where another thread has prepared it. */
export interface ReadyRow {
  row: Record<string, unknown>;
  prepared?: PreparedItem | undefined;
}

/** Fewer items than this are indexed before another thread would have heard of them. */
const WORTH_A_THREAD = 64;

/** Has the items of many rows prepared by another thread, where there is one; few rows are left as they are. */
export async function readyRows(
  { state, indexer }: Mirror,
  table: CatalogTable,
  rows: readonly Record<string, unknown>[],
): Promise<ReadyRow[]> {
  const read = READ[table];
  if (!read || !indexer || rows.length < WORTH_A_THREAD) return rows.map((row) => ({ row }));
  const texts = rows.map((row) => (isGone(row) ? undefined : textOf(state, read, row)));
  const items = (await indexer.prepare(texts.filter((text) => text !== undefined))) ?? [];
  let next = 0;
  return rows.map((row, i) => ({ row, prepared: texts[i] && items[next++] }));
}

type ReadItem = (row: never) => { item: ServingItem; details: readonly ItemDetail[] };

const READ: Partial<Record<CatalogTable, ReadItem>> = {
  creatives: (row: CreativeRow) => ({ item: creativeFrom(row), details: [] }),
  products: productFrom,
};

/** A row that cannot be read is told of when it is applied. */
function textOf(state: ServingState, read: ReadItem, row: Record<string, unknown>): ItemText | undefined {
  try {
    const { item, details } = read(row as never);
    return state.textOf(item, details);
  } catch {
    return undefined;
  }
}

const isGone = (row: Record<string, unknown>): boolean => (row.archived_at ?? row.revoked_at ?? null) !== null;

interface KeyRow {
  id: string;
  channel_id: string;
  kind: "server" | "browser";
  hash: string;
}

/**
 * Brings one row of a table into the mirror, or takes it out when it is archived or revoked. A row that cannot be read
 * (caps of an unknown shape) is taken out and logged: one broken row must not stop the others.
 */
export function applyRow(mirror: Mirror, table: CatalogTable, { row, prepared }: ReadyRow): void {
  try {
    if (isGone(row)) REMOVE[table](mirror, row.id as string);
    else PUT[table](mirror, row, prepared);
  } catch (err) {
    REMOVE[table](mirror, row.id as string);
    mirror.log.warn({ err, table, id: row.id }, "a row cannot be read and does not serve");
  }
}

const REMOVE: Readonly<Record<CatalogTable, (mirror: Mirror, id: string) => void>> = {
  channels: ({ state, keys }, id) => {
    state.removeChannel(id);
    keys.channelChanged();
  },
  channel_keys: ({ keys }, id) => keys.remove(id),
  advertisers: ({ state }, id) => {
    state.removeAdvertiser(id);
  },
  campaigns: ({ state }, id) => state.removeCampaign(id),
  creatives: ({ state }, id) => state.removeItem(id),
  products: ({ state }, id) => state.removeItem(id),
};

// The columns are those of catalog.sql.ts, whose types the database guarantees.
const PUT: Readonly<Record<CatalogTable, (mirror: Mirror, row: unknown, prepared?: PreparedItem) => void>> = {
  channels: ({ state, keys }, row) => {
    const channel = channelFrom(row as ChannelRow);
    state.putChannel(channel);
    keys.channelChanged();
  },
  channel_keys: ({ keys }, row) => {
    const { id, channel_id: channelId, kind, hash } = row as KeyRow;
    keys.put({ id, channelId, kind, hash });
  },
  advertisers: ({ state }, row) => {
    const advertiser = advertiserFrom(row as AdvertiserRow);
    state.putAdvertiser(advertiser);
  },
  campaigns: ({ state }, row) => {
    const campaign = campaignFrom(row as CampaignRow);
    const before = state.campaign(campaign.id);
    const { spentTodayNanos = 0n, spentTotalNanos = 0n, passRate = 1 } = before ?? {};
    state.putCampaign(withSpend({ ...campaign, passRate }, { spentTodayNanos, spentTotalNanos }));
  },
  creatives: ({ state }, row, prepared) => state.putItem(creativeFrom(row as CreativeRow), [], prepared),
  products: ({ state }, row, prepared) => {
    const { item, details } = productFrom(row as ProductRow);
    state.putItem(item, details, prepared);
  },
};
