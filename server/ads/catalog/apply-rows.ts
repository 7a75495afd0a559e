import type { Logger } from "pino";
import { withSpend } from "../budgets/spend";
import type { Indexer } from "../matching/indexer";
import type { ItemText } from "../matching/item-words";
import type { PreparedItem } from "../matching/prepare-item";
import type { ServingState } from "../matching/serving-state";
import type { ChannelRefs } from "../network-channels/channel-refs";
import type { ItemDetail, ServingItem } from "../serving/serving";
import type { CatalogTable } from "./catalog.sql";
import type { CatalogItems } from "./catalog-items";
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

export interface Mirror {
  state: ServingState;
  items: CatalogItems;
  keys: ChannelKeys;
  /** Prepares the items of large changes on another thread; without it, this thread does. */
  indexer?: Indexer | undefined;
  /** Treats every advertiser as approved. */
  automaticReview: boolean;
  channelRefs: ChannelRefs;
  log: Pick<Logger, "warn">;
}

/** A row, with its item if another thread has prepared it. */
export interface ReadyRow {
  row: Record<string, unknown>;
  prepared?: PreparedItem | undefined;
}

/** Smaller batches are indexed faster than another thread could receive them. */
const WORTH_A_THREAD = 64;

/** Lets another thread, if there is one, prepare the items of many rows; a few rows are returned unchanged. */
export async function readyRows(
  { state, items: held, indexer }: Mirror,
  table: CatalogTable,
  rows: readonly Record<string, unknown>[],
): Promise<ReadyRow[]> {
  const read = READ[table];
  if (!read || !indexer || rows.length < WORTH_A_THREAD) return rows.map((row) => ({ row }));
  const texts = rows.map((row) => (isGone(row) ? undefined : textOf({ state, items: held }, read, row)));
  const items = (await indexer.prepare(texts.filter((text) => text !== undefined))) ?? [];
  let next = 0;
  return rows.map((row, i) => ({ row, prepared: texts[i] && items[next++] }));
}

type ReadItem = (row: never) => { item: ServingItem; details: readonly ItemDetail[] };

const READ: Partial<Record<CatalogTable, ReadItem>> = {
  creatives: (row: CreativeRow) => ({ item: creativeFrom(row), details: [] }),
  products: productFrom,
};

/** An invalid row is logged when it is applied. */
function textOf(
  { state, items }: Pick<Mirror, "state" | "items">,
  read: ReadItem,
  row: Record<string, unknown>,
): ItemText | undefined {
  try {
    const { item, details } = read(row as never);
    return items.wants(item) ? state.textOf(item, details) : undefined;
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
 * Applies one row of a table to the mirror, or removes it when it is archived or revoked. A row that cannot be read
 * (caps of an unknown shape) is removed and logged, so that one broken row does not block the others.
 */
export function applyRow(mirror: Mirror, table: CatalogTable, { row, prepared }: ReadyRow): void {
  try {
    if (isGone(row)) REMOVE[table](mirror, row.id as string);
    else PUT[table](mirror, row, prepared);
  } catch (err) {
    REMOVE[table](mirror, row.id as string);
    mirror.log.warn({ err, table, id: row.id }, "a row cannot be read and is not served");
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
  campaigns: ({ items }, id) => items.removeCampaign(id),
  creatives: ({ items }, id) => items.remove(id),
  products: ({ items }, id) => items.remove(id),
};

// The columns come from catalog.sql.ts, and the database guarantees their types.
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
  advertisers: (mirror, row) => {
    const advertiser = advertiserFrom(row as AdvertiserRow, mirror);
    mirror.state.putAdvertiser(advertiser);
  },
  campaigns: ({ state, items }, row) => {
    const campaign = campaignFrom(row as CampaignRow);
    const before = state.campaign(campaign.id);
    const { spentTodayNanos = 0n, spentTotalNanos = 0n, passRate = 1 } = before ?? {};
    items.putCampaign(withSpend({ ...campaign, passRate }, { spentTodayNanos, spentTotalNanos }));
  },
  creatives: ({ items }, row, prepared) => items.put(creativeFrom(row as CreativeRow), [], prepared),
  products: ({ items }, row, prepared) => {
    const { item, details } = productFrom(row as ProductRow);
    items.put(item, details, prepared);
  },
};
