import type { Pool } from "pg";
import { unavailableIfAway } from "../../engines/postgres/is-away";
import { GroupCommit } from "../../kernel/group-commit";
import { type Claim, claimEvents } from "./claims.sql";
import { type AtStep, noStep } from "./steps";

const CLAIMS_PER_STATEMENT_MAX = 2000;
const WAITING_MAX = 50_000;

/** Claims what may happen only once, many callers in one transaction. */
export class Claims {
  readonly #groups: Record<"impressions" | "clicks", GroupCommit<Claim, boolean>>;

  constructor(sql: Pool, atStep: AtStep = noStep) {
    const groupOf = (table: "impressions" | "clicks") =>
      new GroupCommit<Claim, boolean>((claims) => claimGroup({ sql, table, atStep }, claims), {
        itemsMax: CLAIMS_PER_STATEMENT_MAX,
        waitingMax: WAITING_MAX,
      });
    this.#groups = { impressions: groupOf("impressions"), clicks: groupOf("clicks") };
  }

  /** True when this claim is the first of its kind for its offer. Throws `unavailable` when Postgres is away. */
  async claim(table: "impressions" | "clicks", claim: Claim): Promise<boolean> {
    try {
      return await this.#groups[table].add(claim);
    } catch (failure) {
      throw unavailableIfAway(failure);
    }
  }

  async drain(): Promise<void> {
    await Promise.all([this.#groups.impressions.drain(), this.#groups.clicks.drain()]);
  }
}

interface ClaimGroup {
  sql: Pool;
  table: "impressions" | "clicks";
  atStep: AtStep;
}

/** The first of several claims of one offer in a group stands for it; the others have lost already. */
async function claimGroup({ sql, table, atStep }: ClaimGroup, claims: Claim[]): Promise<boolean[]> {
  const first = new Map<string, Claim>();
  for (const claim of claims) if (!first.has(claim.offerId)) first.set(claim.offerId, claim);
  const sent = claimEvents(sql, table, [...first.values()]);
  atStep("claim.sent");
  const won = await sent;
  atStep("claim.committed");
  return claims.map((claim) => first.get(claim.offerId) === claim && won.has(claim.offerId));
}
