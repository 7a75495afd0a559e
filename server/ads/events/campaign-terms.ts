import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { GroupCommit } from "../../kernel/group-commit";

const CAMPAIGNS_MAX = 20_000;
/** A changed time zone affects the day of new spend after this long; a new budget applies immediately. */
const STALE_AFTER_MS = 10_000;

/** What determines how a campaign's events are claimed. */
export interface CampaignTerms {
  timezone: string;
  hasBudget: boolean;
}

/** The terms for a campaign that no longer exists; its events can still be counted. */
const UNKNOWN: CampaignTerms = { timezone: "UTC", hasBudget: false };

/** Caches the terms of campaigns. Whether a campaign has a budget is only a hint, which the claim verifies. */
export class CampaignTermsMemory {
  readonly #terms = new LRUCache<string, CampaignTerms>({ max: CAMPAIGNS_MAX, ttl: STALE_AFTER_MS });
  readonly #loads: GroupCommit<string, CampaignTerms>;

  constructor(sql: Pool) {
    const load = async (ids: string[]) => {
      const found = await loadTerms(sql, ids);
      return ids.map((id) => found.get(id) ?? UNKNOWN);
    };
    this.#loads = new GroupCommit(load, { itemsMax: 1000, waitingMax: 50_000, flushesMax: 2 });
  }

  /** Does not wait if the terms are cached. */
  known(campaignId: string): CampaignTerms | undefined {
    return this.#terms.get(campaignId);
  }

  async load(campaignId: string): Promise<CampaignTerms> {
    const terms = await this.#loads.add(campaignId);
    this.#terms.set(campaignId, terms);
    return terms;
  }

  forget(campaignId: string): void {
    this.#terms.delete(campaignId);
  }

  drain(): Promise<void> {
    return this.#loads.drain();
  }
}

async function loadTerms(sql: Pool, ids: readonly string[]): Promise<Map<string, CampaignTerms>> {
  const { rows } = await sql.query<CampaignTerms & { id: string }>({
    name: "load_campaign_terms",
    text: `SELECT id, timezone, daily_budget_micros IS NOT NULL OR total_budget_micros IS NOT NULL AS "hasBudget"
           FROM campaigns WHERE id = ANY ($1::text[])`,
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map(({ id, ...terms }) => [id, terms]));
}
