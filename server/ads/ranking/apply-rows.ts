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
import type { ServingState } from "./serving-state";
import { withSpend } from "./spend";

export interface Mirror {
  state: ServingState;
  keys: ChannelKeys;
  log: Pick<Logger, "warn">;
}

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
export function applyRow(mirror: Mirror, table: CatalogTable, row: Record<string, unknown>): void {
  const id = row.id as string;
  if ((row.archived_at ?? row.revoked_at ?? null) !== null) REMOVE[table](mirror, id);
  else tryPut(mirror, table, row);
}

function tryPut(mirror: Mirror, table: CatalogTable, row: Record<string, unknown>): void {
  try {
    PUT[table](mirror, row);
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
const PUT: Readonly<Record<CatalogTable, (mirror: Mirror, row: unknown) => void>> = {
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
    const today = before?.spentTodayNanos ?? 0n;
    state.putCampaign(withSpend(campaign, today, before?.spentTotalNanos ?? 0n));
  },
  creatives: ({ state }, row) => state.putItem(creativeFrom(row as CreativeRow), []),
  products: ({ state }, row) => {
    const { item, details } = productFrom(row as ProductRow);
    state.putItem(item, details);
  },
};
