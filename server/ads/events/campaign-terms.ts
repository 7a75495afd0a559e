import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { GroupCommit } from "../../kernel/group-commit";

const CAMPAIGNS_MAX = 20_000;
/** A new time zone moves the day that spend is written to after this long; a new budget holds at once all the same. */
const STALE_AFTER_MS = 10_000;

/** What decides how a campaign's events are claimed. */
export interface CampaignTerms {
  timezone: string;
  hasBudget: boolean;
}

/** For what names no campaign any more: its events stay countable. */
const UNKNOWN: CampaignTerms = { timezone: "UTC", hasBudget: false };

/** The terms of campaigns, kept at hand; what they say about budgets is a hint that the claim itself verifies. */
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

  /** Without waiting when they are at hand. */
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
