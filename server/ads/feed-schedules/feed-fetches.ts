import type { Logger } from "pino";
import type { StartedAlarms } from "../../engines/start-alarms";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { BrokenFeed } from "../products/feed-line";
import type { ImportSlot } from "../products/import-slots";
import { type ClaimedFeed, claimFeed, type DueFeed, dueFeeds, lostClaims, NEXT_FEED } from "./feed-schedule.sql";
import { type FetchCtx, fetchFeed } from "./fetch-feed";

interface RunningFetch {
  claim: string | undefined;
  stopping: AbortController;
  ended: Promise<void>;
}

interface BegunFetch {
  slot: ImportSlot;
  claimed: ClaimedFeed;
}

/**
 * Fetches the feeds that are due, a few at a time; any number of processes may do so. The import slot of a campaign is
 * held during its fetch, so that only one process fetches it, and another continues at once when a process is killed.
 */
export class FeedFetches {
  readonly #ctx: FetchCtx;
  readonly #log: Pick<Logger, "info" | "warn" | "error">;
  readonly #running = new Map<string, RunningFetch>();

  constructor(ctx: FetchCtx, log: Pick<Logger, "info" | "warn" | "error">) {
    this.#ctx = ctx;
    this.#log = log;
  }

  /** Starts the fetches that are due, and stops those whose schedule was changed or deleted. Does not wait for them. */
  async round(): Promise<void> {
    const { sql, clock, limits } = this.#ctx;
    await this.#stopChanged();
    if (this.#running.size >= limits.fetchesMax) return;
    for (const feed of await dueFeeds(sql, clock.now())) {
      if (this.#running.size >= limits.fetchesMax) return;
      if (!this.#running.has(feed.campaignId)) await this.#start(feed);
    }
  }

  /** Resolves when no fetch runs. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Stops the running fetches, which stay due. */
  async stop(): Promise<void> {
    for (const { stopping } of this.#running.values()) stopping.abort(serverStopping());
    await this.idle();
  }

  async #stopChanged(): Promise<void> {
    const claims = [...this.#running].flatMap(([campaignId, { claim }]) => (claim ? [{ campaignId, claim }] : []));
    const lost = await lostClaims(this.#ctx.sql, claims);
    for (const { claim, stopping } of this.#running.values()) {
      if (claim && lost.has(claim)) stopping.abort(scheduleChanged());
    }
  }

  /** Starts a fetch, unless the feed has no slot now: then another one can have its place in this process. */
  async #start(feed: DueFeed): Promise<void> {
    const running: RunningFetch = { claim: undefined, stopping: new AbortController(), ended: Promise.resolve() };
    this.#running.set(feed.campaignId, running);
    const begun = await this.#begin(feed).catch((cause: unknown) => {
      this.#running.delete(feed.campaignId);
      throw cause;
    });
    if (!begun) return void this.#running.delete(feed.campaignId);
    running.claim = begun.claimed.claim;
    running.ended = this.#fetch(feed, running, begun)
      .catch((err: unknown) => this.#log.error({ err, campaign: feed.campaignId }, "a feed fetch failed"))
      .finally(() => this.#running.delete(feed.campaignId));
  }

  async #begin({ campaignId, tenantId }: DueFeed): Promise<BegunFetch | undefined> {
    const { imports, sql, clock } = this.#ctx;
    const slot = await imports.slots.take({ tenantId, campaignId, isScheduled: true }).catch(noSlot);
    if (!slot) return undefined;
    let claimed: ClaimedFeed | undefined;
    try {
      const now = clock.now();
      claimed = await claimFeed(sql, { campaignId, claim: newId("ftc", now.getTime()), now });
    } finally {
      if (!claimed) await slot.release();
    }
    return claimed && { slot, claimed };
  }

  async #fetch({ tenantId }: DueFeed, { stopping }: RunningFetch, { slot, claimed }: BegunFetch): Promise<void> {
    try {
      const signal = AbortSignal.any([stopping.signal, slot.signal]);
      await fetchFeed(this.#ctx, { feed: claimed, tenantId, signal });
    } finally {
      await slot.release();
    }
  }
}

/** The feed stays due while another import of the campaign, or enough of the tenant or the process, run. */
function noSlot(cause: unknown): undefined {
  if (cause instanceof ServiceError && (cause.code === "conflict" || cause.code === "rate_limited")) return undefined;
  throw cause;
}

const serverStopping = () => new BrokenFeed("server_stopping", "The server is stopping.");
const scheduleChanged = () => new BrokenFeed("server_stopping", "The schedule was changed.");

/** Runs rounds in the background until `stop`, which also stops the running fetches. */
export function startFeedFetches(
  ctx: FetchCtx,
  { alarms, log }: { alarms: Pick<StartedAlarms, "add">; log: Pick<Logger, "info" | "warn" | "error"> },
) {
  const fetches = new FeedFetches(ctx, log);
  const loop = alarms.add({
    topic: "feeds",
    purpose: "fetch product feeds",
    nextDue: NEXT_FEED,
    run: () => fetches.round(),
    idle: () => fetches.idle(),
  });
  return {
    stop: async () => {
      await loop.stop();
      await fetches.stop();
    },
  };
}
