import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { CapCounts } from "../../../server/ads/caps/cap-counts";
import { reserveCaps } from "../../../server/ads/caps/reserve-caps";
import { Claims } from "../../../server/ads/events/claims";
import type { OfferRecord } from "../../../server/ads/offer-records/offer-record";
import { OfferRecords } from "../../../server/ads/offer-records/offer-records";
import { decideOffers } from "../../../server/ads/ranking/decide-offers";
import type { Candidate } from "../../../server/ads/ranking/decision";
import type { Counters } from "../../../server/engines/counters/counters";
import { MemoryCounters } from "../../../server/engines/counters/memory-counters";
import { connectRedisCounters } from "../../../server/engines/counters/redis-counters";
import type { Clock } from "../../../server/kernel/clock";
import { startRedisServer } from "../../contract/redis-server";
import { eventually } from "../../factories/app";
import { testDatabase } from "../../factories/postgres";
import { CHANNEL_ID, requestOf, Scenario, stateOf } from "../offers/scenario";

export const DAY_SECONDS = 86_400;
/** Thousands of calls at once on a busy machine: here counts what is answered, not when. */
const PATIENT = { callTimeoutMs: 60_000 };

/** What represents one svc process: the counts, and how it serves and counts offers. */
export interface Server {
  counts: CapCounts;
  /** The offers that a user gets of `candidates`, recorded. */
  serve(user: string, candidates: readonly Candidate[], wanted?: number): Promise<OfferRecord[]>;
  /** Reports an offer as seen. */
  see(record: OfferRecord): Promise<void>;
}

export type CapsWorld = Awaited<ReturnType<typeof capsWorld>>;

/**
 * A database of offers, and servers on it. As svc does, a server gives back what it recorded too late, unless
 * `isPatient`: where a test counts the answers of a busy machine.
 */
export async function capsWorld(clock: Clock, { isPatient = false } = {}) {
  const database = await testDatabase();
  const { sql } = database;
  const [records, claims] = [new OfferRecords(sql), new Claims(sql)];
  const started: CapCounts[] = [];
  const claim = (record: OfferRecord) => {
    const at = clock.now().getTime();
    const { id: offerId, campaignId } = record;
    return claims.claim("impressions", {
      offerId,
      at,
      clickId: null,
      campaignId,
      chargeNanos: 0,
      payerId: null,
      row: {},
    });
  };
  const server = (counters: Counters): Server => {
    const counts = new CapCounts({ sql, counters, clock, log: pino({ level: "silent" }) });
    started.push(counts);
    return {
      counts,
      serve: async (user, candidates, wanted = 1) => {
        const now = clock.now().getTime();
        const ctx = { caps: counts, channel: { id: CHANNEL_ID } };
        const { newOffers, recordByMs } = await reserveCaps(ctx, { candidates, user, wanted, now });
        const made = newOffers.map(({ id, candidate, caps }) => ({ ...recordOf(candidate), id, caps, userKey: user }));
        if (made.length > 0) await records.write(made);
        if (isPatient || performance.now() <= recordByMs) return made;
        await counts.release(made);
        return [];
      },
      see: async (record) => {
        await claim(record);
        await counts.confirm(record);
      },
    };
  };
  const close = async () => {
    for (const counts of started) await counts.stop();
    await database.close();
  };
  return { ...database, server, claim, close };
}

const recordOf = ({ campaign, item }: Candidate): OfferRecord => ({
  id: "",
  requestId: randomUUID(),
  tenantId: "publisher",
  channelId: CHANNEL_ID,
  mode: "live",
  buyerTenantId: campaign.tenantId,
  advertiserId: campaign.advertiserId,
  campaignId: campaign.id,
  creativeId: item.id,
  productId: "",
  model: "cpc",
  priceNanos: 0,
  house: false,
  landingUrl: item.landingUrl,
  placement: "",
  geo: "",
  device: "desktop",
  locale: "en",
  userKey: "",
  caps: null,
  seen: false,
  clickId: undefined,
});

/** Candidates of campaigns with these caps, each as `count/seconds` or `count/seconds/per`; one creative each, best first. */
export function candidatesOf(...caps: string[][]): Candidate[] {
  const campaigns = caps.map((texts, i) => ({
    id: `campaign-${i}`,
    bid_micros: 1_000_000 * (caps.length - i),
    caps: texts.map((text) => {
      const [count = "", window_seconds = "", per = "campaign"] = text.split("/");
      return { count: Number(count), window_seconds: Number(window_seconds), per };
    }),
    creatives: [{ id: `ad-${i}`, title: "Running shoes" }],
  }));
  const requests = [{ request: { query: "running shoes" }, offers: [] }];
  const scenario = Scenario.parse({ about: "caps", campaigns, requests });
  const [asked] = scenario.requests;
  if (!asked) throw new Error("a scenario without a request");
  return decideOffers(stateOf(scenario), requestOf(asked.request), { now: new Date(asked.now), seed: "" }).candidates;
}

/** Whether a server counts caps, rather than put counts back. */
export const isCounting = async ({ counts }: Server): Promise<boolean> =>
  (await counts.look({ user: "probe", windows: [], candidates: [], wanted: 0 })) !== undefined;

/** Starts a server's counts and waits until it counts caps; a start itself waits for two seconds only. */
export async function startCounting(server: Server): Promise<void> {
  await server.counts.start();
  await eventually(() => isCounting(server), 60_000);
}

export interface SharedCounters {
  /** Another connection to the same counts (in process: the same object). */
  connect(): Promise<Counters>;
  close(): Promise<void>;
}

export async function inProcess(clock: Clock): Promise<SharedCounters> {
  const counters = new MemoryCounters(clock);
  return { connect: async () => counters, close: () => counters.close() };
}

/** A Redis of its own. */
export async function onRedis(options: { callTimeoutMs?: number } = PATIENT) {
  const server = await startRedisServer();
  const open: Counters[] = [];
  const connect = async () => {
    const counters = await connectRedisCounters(server.url, options);
    open.push(counters);
    return counters;
  };
  const close = async () => {
    for (const counters of open) await counters.close();
    await server.close();
  };
  return { connect, close, server };
}
