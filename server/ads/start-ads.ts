import path from "node:path";
import type { Logger } from "pino";
import type { Network } from "../engines/guarded-fetch";
import type { StartedAlarms } from "../engines/start-alarms";
import type { Engines } from "../engines/start-engines";
import { DeadLetterFile } from "../engines/wal/dead-letter-file";
import type { Clock } from "../kernel/clock";
import { createLastUsed } from "../kernel/last-used";
import { deriveKey } from "../kernel/secrets";
import type { StopStack } from "../kernel/stop-stack";
import { ADS_CRONTAB, ADS_EVERY_MINUTE, adsTasks } from "./ads-tasks";
import { type DomainSources, publicDomainSources } from "./advertisers/domain-sources";
import { CapCounts } from "./caps/cap-counts";
import { ERASED_USERS } from "./caps/erase-caps";
import { startCatalog } from "./catalog/start-catalog";
import { ConsentReader } from "./consent/consent";
import { Claims } from "./events/claims";
import { FactLog } from "./events/fact-log";
import { createReplayClick } from "./events/replay-click";
import { drained, type Loop, shipFacts } from "./events/ship-facts";
import { OUTBOX_TOPIC, shipOutbox } from "./events/ship-outbox";
import { type AtStep, noStep } from "./events/steps";
import { startFeedFetches } from "./feed-schedules/feed-fetches";
import { FETCH_LIMITS, type FetchLimits } from "./feed-schedules/fetch-limits";
import { ChannelRefs } from "./network-channels/channel-refs";
import { OfferRecords } from "./offer-records/offer-records";
import type { ServingParts } from "./offers/offers-call-ctx";
import { FEED_LIMITS } from "./products/feed-limits";
import { ImportSlots } from "./products/import-slots";
import type { ProductCtx } from "./products/product-ctx";
import { DecisionMemory } from "./ranking/decision-memory";
import { createReportTurns } from "./reports/get-report";
import type { ReportCtx } from "./reports/report-ctx";
import { SignalMemory } from "./signals/signal-memory";
import { PlausibleTraffic } from "./traffic/plausible-traffic";
import { startVectors, type Vectors, type VectorsConfig } from "./vectors/start-vectors";

export interface AdsConfig
  extends Pick<ServingParts, "currency" | "publicUrl" | "publisherShare" | "reserve">,
    Pick<ReportCtx, "retentionRawDays">,
    Pick<ProductCtx, "itemsMax"> {
  dataDir: string;
  roles: ReadonlySet<string>;
  isLoopback: boolean;
  /** Memory limit of the item index. */
  catalogBytes: number;
  /** The semantic engine; undefined: offers are found by words only. */
  embeddings: VectorsConfig | undefined;
  tcfVendorId: ConstructorParameters<typeof ConsentReader>[0]["vendorId"];
}

export interface StartAds {
  engines: Engines;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add" | "wake" | "announce">;
  log: Logger;
  stops: StopStack;
  /**
   * The tenant whose network campaigns are house offers elsewhere; by default the tenant that is marked as the demo.
   */
  demoTenantId?: string | undefined;
  atStep?: AtStep | undefined;
  /** The compiled feed-worker.ts; by default the file next to the compiled server. */
  feedWorkerFile?: string | undefined;
  /** How advertisers' domains are verified; by default over the public network. */
  domainSources?: DomainSources | undefined;
  /** How feeds are fetched; by default over the public network. */
  feedNetwork?: Network | undefined;
  feedFetchLimits?: FetchLimits | undefined;
}

/**
 * Starts serving and the background loops of this process's roles. Returns what the ads product adds to the process.
 */
export async function startAds(config: AdsConfig, parts: StartAds) {
  const { engines, clock, stops } = parts;
  const channelKeys = channelKeysLastUsed({ db: engines.db, clock });
  stops.push("last use of channel keys", () => channelKeys.settled());
  const vectors = startSemanticEngine(config, parts);
  const serving = {
    ...(await startServing(config, parts)),
    nearest: vectors?.nearest,
  };
  const deadLetters = new DeadLetterFile({ file: path.join(config.dataDir, "dead-letters.ndjson"), log: parts.log });
  for (const loop of startLoops(config, { ...parts, serving, deadLetters }))
    stops.push("shipping of events", () => loop.stop());
  await drained([engines.wal, ...(engines.leftWals ?? [])], LEFT_EVENTS_WAIT_MS);
  stops.push("records and claims", () => Promise.all([serving.records.drain(), serving.claims.drain()]));
  const ctx = adsCtxOf(config, { ...parts, serving });
  stops.push("feed imports", () => ctx.imports.slots.stop());
  if (config.roles.has("worker")) {
    const { feedNetwork: network, feedFetchLimits: limits = FETCH_LIMITS, alarms, log } = parts;
    const fetches = startFeedFetches({ ...ctx, network, limits }, { alarms, log });
    stops.push("feed fetches", () => fetches.stop());
  }
  return {
    ctx,
    serving,
    vectors,
    noteKeyUse: channelKeys.note,
    /** The number of creatives and products that can be served. */
    catalogSize: () => serving.catalog.size,
    lostFacts: { shed: serving.facts.shed, refused: deadLetters.refused, dropped: deadLetters.dropped },
    tasks: adsTasks({
      ...{ db: engines.db, sql: engines.sql, clock, currency: config.currency, publisherShare: config.publisherShare },
    }),
    crontab: ADS_CRONTAB,
    everyMinute: ADS_EVERY_MINUTE,
  };
}

/** Without ClickHouse the events of an earlier process cannot be delivered; this is how long a start waits for it. */
const LEFT_EVENTS_WAIT_MS = 5000;

export type AdsParts = ReturnType<typeof adsCtxOf>;

/** The shared context of the operations under `/v1/ads`. */
function adsCtxOf(config: AdsConfig, parts: StartAds & { serving: Serving }) {
  const { serving } = parts;
  const { db, sql, clickhouse, secret } = parts.engines;
  const { clock, signals, caps, consent, userKey, catalog, reserve, pixelKey, publicUrl, channelRefs, nearest } =
    serving;
  return {
    ...{ db, sql, clickhouse, clock, currency: config.currency, publisherShare: config.publisherShare },
    ...{ signals, caps, consent, userKey, catalog, reserve, pixelKey, publicUrl, channelRefs, nearest },
    cursorKey: deriveKey(secret, "cursor"),
    encryptionKey: deriveKey(secret, "encryption"),
    reportTurns: createReportTurns(),
    imports: importsOf(parts),
    itemsMax: config.itemsMax,
    retentionRawDays: config.retentionRawDays,
    automaticReview: config.isLoopback,
    domainSources: parts.domainSources ?? publicDomainSources,
  };
}

/** The share of the index's memory that the vectors may use in addition to it. */
const VECTORS_SHARE = 0.5;

function startSemanticEngine(config: AdsConfig, { engines, clock, log, stops }: StartAds): Vectors | undefined {
  const { embeddings, roles, catalogBytes } = config;
  if (!embeddings) return undefined;
  const bytesMax = catalogBytes * VECTORS_SHARE;
  const vectors = startVectors(embeddings, { sql: engines.sql, clock, log, roles, bytesMax });
  stops.push("vectors", () => vectors.stop());
  return vectors;
}

const importsOf = ({ engines, feedWorkerFile }: StartAds): ProductCtx["imports"] => ({
  slots: new ImportSlots(engines.sql, FEED_LIMITS),
  workerFile: feedWorkerFile ?? path.join(import.meta.dirname, "feed-worker.mjs"),
  limits: FEED_LIMITS,
});

const findDemoTenant = async ({ db }: Pick<Engines, "db">): Promise<string | undefined> =>
  (await db.tenant.findFirst({ where: { isDemo: true, memberships: { some: {} } }, select: { id: true } }))?.id;

const channelKeysLastUsed = ({ db, clock }: { db: Engines["db"]; clock: Clock }) =>
  createLastUsed({
    clock,
    write: ({ keyId: id, at, unlessAfter }) =>
      db.channelKey.updateMany({
        where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: unlessAfter } }] },
        data: { lastUsedAt: at },
      }),
  });

type Serving = ServingParts & { channelRefs: ChannelRefs };

async function startServing(config: AdsConfig, parts: StartAds): Promise<Serving> {
  const { engines, clock, alarms, log, stops } = parts;
  const { sql, counters, clickhouse, secret } = engines;
  const channelRefs = new ChannelRefs(deriveKey(secret, "channel-ref"));
  const catalog = await startCatalog({
    ...{ sql, clickhouse, clock, alarms, log, channelRefs },
    automaticReview: config.isLoopback,
    bytesMax: config.catalogBytes,
    // Next to the compiled server. If it is missing, as in tests, items are prepared on the main thread.
    indexWorkerFile: path.join(import.meta.dirname, "index-worker.mjs"),
  });
  stops.push("catalog", () => catalog.stop());
  const caps = new CapCounts({ sql, counters, clock, log });
  stops.push("caps", () => caps.stop());
  await caps.start();
  const signals = new SignalMemory({ sql, counters, clock });
  stops.push("signals", () => signals.close());
  await signals.listen();
  const records = new OfferRecords(sql);
  await counters.subscribe(ERASED_USERS, (user) => records.forgetUser(user));
  const { publicUrl, publisherShare, reserve, currency } = config;
  return {
    ...{ clock, counters, sql, catalog, caps, signals, records, channelRefs },
    ...{ publicUrl, publisherShare, reserve, currency },
    decisions: new DecisionMemory(),
    claims: new Claims(sql, parts.atStep, () => alarms.announce(OUTBOX_TOPIC)),
    ignoredIds: { count: 0 },
    plausible: new PlausibleTraffic({ counters, clock }),
    facts: new FactLog(engines.wal, log),
    consent: new ConsentReader({ clock, vendorId: config.tcfVendorId }),
    pixelKey: deriveKey(secret, "pixel"),
    userKey: deriveKey(secret, "user"),
    demoTenantId: parts.demoTenantId ?? (await findDemoTenant(engines)),
  };
}

interface LoopParts extends StartAds {
  serving: Serving;
  deadLetters: DeadLetterFile;
}

/** Every process ships its own write-ahead file and the ones it was left; only workers ship the outbox. */
function startLoops(config: AdsConfig, parts: LoopParts): Loop[] {
  const { engines, alarms, log, serving, deadLetters, atStep = noStep } = parts;
  const { clickhouse, sql, wal, leftWals = [] } = engines;
  const replayClick = createReplayClick({ ...serving, publisherShare: config.publisherShare });
  const ship = { sql, clickhouse, replayClick, alarms, log, atStep, deadLetters };
  const loops: Loop[] = [wal, ...leftWals].map((each) => shipFacts({ ...ship, wal: each }));
  return config.roles.has("worker") ? [...loops, shipOutbox(ship)] : loops;
}
