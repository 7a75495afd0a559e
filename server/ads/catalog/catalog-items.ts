import type { Logger } from "pino";
import type { Mode } from "../../operation/actor";
import { itemBytes } from "../matching/item-memory";
import type { PreparedItem } from "../matching/prepare-item";
import type { ServingState } from "../matching/serving-state";
import type { ItemDetail, ServingCampaign, ServingItem } from "../serving/serving";
import { fairShare } from "./fair-share";

/** Test campaigns cannot displace live ones: they have this separate share of the memory. */
const TEST_SHARE = 1 / 8;
/** Estimated postings of an item that is not indexed, per byte of its texts. */
const POSTING_BYTES_PER_TEXT_BYTE = 2;
/** Nothing is loaded again for a tenant that is this close to its share. */
const NEAR = 0.98;
/** How often excluded items are checked again, in case others made room. */
const RETRY_MS = 60_000;
/** The minimum time between removals of campaigns that ended on schedule. */
const LOOK_EVERY_MS = 10_000;
const MODES: readonly Mode[] = ["live", "test"];

export interface CatalogItemsOptions {
  state: ServingState;
  /** The memory limit for all items. */
  bytesMax: number;
  now: () => Date;
  log: Pick<Logger, "warn" | "info">;
}

/**
 * Decides which creatives and products this process indexes: those of active or paused campaigns that have not ended,
 * within the memory limit. If memory is short, each tenant gets an equal share, and what small tenants do not use goes
 * to the others. Only the largest tenants lose items, those of their newest campaigns first, so a tenant's items never
 * displace those of a smaller tenant.
 */
export class CatalogItems {
  readonly #state: ServingState;
  readonly #now: () => Date;
  readonly #log: CatalogItemsOptions["log"];
  readonly #bytesMax: Readonly<Record<Mode, number>>;
  /** The memory limit of a tenant. */
  readonly #share: Record<Mode, number> = { live: Number.POSITIVE_INFINITY, test: Number.POSITIVE_INFINITY };
  /** Campaigns whose items must be read from Postgres. */
  readonly #toLoad = new Set<string>();
  /** Campaigns whose items were read while an import into them ran, so that its products are missing. */
  readonly #partlyLoaded = new Set<string>();
  /** False during the first load, before which nothing is served. */
  #isServing = false;
  /** Whether something was excluded since the last `loadPending`. */
  #isShort = false;
  #retryAtMs = 0;
  #lookAtMs = 0;
  #loggedLeftOut = 0;

  constructor({ state, bytesMax, now, log }: CatalogItemsOptions) {
    this.#state = state;
    this.#now = now;
    this.#log = log;
    this.#bytesMax = { live: bytesMax * (1 - TEST_SHARE), test: bytesMax * TEST_SHARE };
  }

  /** The number of items that are excluded for lack of memory. */
  get leftOut(): number {
    let items = 0;
    for (const { size } of this.#state.leftOut.values()) items += size;
    return items;
  }

  /** Returns whether `put` would accept an item. */
  wants(item: ServingItem): boolean {
    const campaign = this.#state.campaign(item.campaignId);
    if (!campaign || !this.canServe(campaign)) return false;
    return !this.#isFull(campaign) || this.#state.hasItem(item.id);
  }

  /**
   * Adds or replaces an item, unless its campaign cannot serve or memory is short. Decisions see it after the next
   * `reveal` for which no import into its campaign runs.
   */
  put(item: ServingItem, details: readonly ItemDetail[], prepared?: PreparedItem): void {
    if (this.wants(item)) {
      if (this.#isServing) this.#state.stageItem(item, details, prepared);
      else this.#state.putItem(item, details, prepared);
      return;
    }
    this.remove(item.id);
    const campaign = this.#state.campaign(item.campaignId);
    if (!campaign || !this.canServe(campaign)) return;
    this.#isShort = true;
    this.#recordLeftOut(item, itemBytes(item) + POSTING_BYTES_PER_TEXT_BYTE * item.content.length);
  }

  /** Removes an item with the next `reveal`. During an import it takes effect at once, because it comes from another caller. */
  remove(id: string): void {
    const doc = this.#state.docOf(id);
    const campaignId = doc === undefined ? undefined : this.#state.itemAt(doc)?.campaignId;
    const campaign = campaignId === undefined ? undefined : this.#state.campaign(campaignId);
    if (this.#isServing && campaign && !campaign.isImporting) this.#state.stageRemoval(id);
    else this.#state.removeItem(id);
    for (const [campaignId, items] of this.#state.leftOut) {
      if (items.delete(id) && items.size === 0) this.#state.leftOut.delete(campaignId);
    }
  }

  /**
   * Makes the changes of items visible to decisions, all of a campaign at once, except of campaigns with an import that
   * has not ended. Returns whether there were any.
   */
  reveal(): boolean {
    let hasRevealed = false;
    for (const id of this.#state.staged.campaigns()) {
      if (this.#state.campaign(id)?.isImporting) continue;
      this.#state.revealStaged(id);
      hasRevealed = true;
    }
    return hasRevealed;
  }

  /** Campaigns with an import that has not ended. */
  importing(): string[] {
    return [...this.#state.campaigns()].filter(({ isImporting }) => isImporting).map(({ id }) => id);
  }

  /** Adds or replaces a campaign. If it can now serve, the next `loadPending` loads its items. */
  putCampaign(campaign: ServingCampaign): void {
    const before = this.#state.campaign(campaign.id);
    const couldServe = before !== undefined && this.canServe(before);
    this.#state.putCampaign(campaign);
    const { id, isImporting } = campaign;
    if (!this.canServe(campaign)) this.#forgetItems(id);
    else if (!couldServe) this.#toLoad.add(id);
    if (!couldServe && isImporting) this.#partlyLoaded.add(id);
    if (!isImporting && this.#partlyLoaded.delete(id) && this.canServe(campaign)) this.#toLoad.add(id);
  }

  removeCampaign(id: string): void {
    this.#toLoad.delete(id);
    this.#partlyLoaded.delete(id);
    this.#state.leftOut.delete(id);
    this.#state.removeCampaign(id);
  }

  /** A paused campaign may resume at any time; drafts and ended campaigns would only waste memory. */
  canServe({ status, endsAtMs }: ServingCampaign): boolean {
    const isOver = endsAtMs !== undefined && endsAtMs <= this.#now().getTime();
    return (status === "active" || status === "paused") && !isOver;
  }

  /** Whether `loadPending` may need to read items although nothing changed in Postgres. */
  isDue(): boolean {
    return this.#toLoad.size > 0 || (this.#state.leftOut.size > 0 && this.#now().getTime() >= this.#retryAtMs);
  }

  /** Call this after all rows of the database were put, and before anything is served. */
  wasLoaded(): void {
    this.#toLoad.clear();
    this.#isServing = true;
  }

  /**
   * Drops items of ended campaigns, divides the memory and loads missing items: `load` must put every item of the given
   * campaigns. If it fails, the next call continues.
   */
  async loadPending(load: (campaignIds: readonly string[]) => Promise<void>): Promise<void> {
    this.#dropEnded();
    this.#shareOut();
    // The second pass handles what did not fit in the first, because the size of excluded items is only an estimate.
    for (let round = 0; round < 2; round++) {
      if (this.#isShort || this.#now().getTime() >= this.#retryAtMs) this.#planLoads();
      const ids = [...this.#toLoad];
      if (ids.length === 0) break;
      for (const id of ids) this.#state.leftOut.delete(id);
      await load(ids);
      for (const id of ids) this.#toLoad.delete(id);
      this.#shareOut();
    }
    this.#isShort = false;
    this.#logLeftOut();
  }

  #isFull(campaign: ServingCampaign): boolean {
    const { memory, bytes } = this.#state;
    const { mode } = campaign;
    return (
      memory.total(mode) >= this.#bytesMax[mode] ||
      memory.ofTenant(campaign) >= this.#share[mode] ||
      bytes >= this.#bytesMax.live + this.#bytesMax.test
    );
  }

  #recordLeftOut({ id, campaignId }: ServingItem, bytes: number): void {
    const items = this.#state.leftOut.get(campaignId) ?? new Map<string, number>();
    this.#state.leftOut.set(campaignId, items.set(id, bytes));
  }

  #forgetItems(campaignId: string): void {
    this.#toLoad.delete(campaignId);
    this.#state.leftOut.delete(campaignId);
    this.#state.dropStaged(campaignId);
    for (const { id } of this.#state.itemsOf(campaignId)) this.#state.removeItem(id);
  }

  #dropEnded(): void {
    const nowMs = this.#now().getTime();
    if (nowMs < this.#lookAtMs) return;
    this.#lookAtMs = nowMs + LOOK_EVERY_MS;
    for (const campaign of this.#state.campaigns()) if (!this.canServe(campaign)) this.#forgetItems(campaign.id);
  }

  /** Computes each tenant's share and removes items beyond it. */
  #shareOut(): void {
    for (const mode of MODES) {
      const { memory } = this.#state;
      const short = this.#shortCampaigns().filter((campaign) => campaign.mode === mode);
      if (short.length === 0 && memory.total(mode) <= this.#bytesMax[mode]) {
        this.#share[mode] = Number.POSITIVE_INFINITY;
        continue;
      }
      const demands = new Map(memory.byTenant(mode));
      for (const { id, tenantId } of short) {
        const items = this.#state.leftOut.get(id)?.values() ?? [];
        demands.set(
          tenantId,
          [...items].reduce((sum, bytes) => sum + bytes, demands.get(tenantId) ?? 0),
        );
      }
      this.#share[mode] = fairShare([...demands.values()], this.#bytesMax[mode]);
      this.#evict(mode);
    }
  }

  #shortCampaigns(): ServingCampaign[] {
    return [...this.#state.leftOut.keys()].flatMap((id) => this.#state.campaign(id) ?? []);
  }

  /** Requests a reload of excluded items for tenants below their share, oldest campaigns first. */
  #planLoads(): void {
    this.#retryAtMs = this.#now().getTime() + RETRY_MS;
    for (const campaign of this.#shortCampaigns().sort(byAge)) {
      const isBelow = this.#state.memory.ofTenant(campaign) < NEAR * this.#share[campaign.mode];
      if (isBelow) this.#toLoad.add(campaign.id);
    }
  }

  #evict(mode: Mode): void {
    const { memory } = this.#state;
    const over = new Set([...memory.byTenant(mode)].filter(([, bytes]) => bytes > this.#share[mode]).map(([id]) => id));
    if (over.size === 0) return;
    const theirs = [...this.#state.campaigns()].filter((one) => one.mode === mode && over.has(one.tenantId));
    for (const campaign of theirs.sort(byAge).reverse()) {
      for (const item of this.#state.itemsOf(campaign.id)) {
        const before = memory.ofTenant(campaign);
        if (before <= this.#share[mode]) break;
        this.#state.removeItem(item.id);
        this.#recordLeftOut(item, before - memory.ofTenant(campaign));
      }
    }
  }

  #logLeftOut(): void {
    const { leftOut } = this;
    if (leftOut === this.#loggedLeftOut) return;
    const { live, test } = this.#bytesMax;
    const facts = {
      left_out: leftOut,
      items: this.#state.index.size,
      bytes: this.#state.bytes,
      bytes_max: live + test,
    };
    if (leftOut > 0)
      this.#log.warn(
        facts,
        "the catalog is full: some items of the largest tenants are not served; increase SVC_CATALOG_MIB",
      );
    else this.#log.info(facts, "all items of the catalog are served again");
    this.#loggedLeftOut = leftOut;
  }
}

const byAge = (a: ServingCampaign, b: ServingCampaign): number =>
  a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : Number(a.id > b.id));
