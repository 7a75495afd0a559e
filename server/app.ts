import path from "node:path";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { z } from "zod";
import type { AdsParts } from "./ads/ads-ctx";
import { CapCounts } from "./ads/caps/cap-counts";
import { ERASED_USERS } from "./ads/caps/erase-caps";
import { ConsentReader } from "./ads/consent/consent";
import { Claims } from "./ads/events/claims";
import { FactLog } from "./ads/events/fact-log";
import { createReplayClick } from "./ads/events/replay-click";
import { type Loop, type ShipFacts, shipFacts } from "./ads/events/ship-facts";
import { shipOutbox } from "./ads/events/ship-outbox";
import { type AtStep, noStep } from "./ads/events/steps";
import { OfferRecords } from "./ads/offers/offer-records";
import { startCatalog } from "./ads/ranking/start-catalog";
import type { ServeCtx } from "./ads/serve-ctx";
import { SignalMemory } from "./ads/signals/signal-memory";
import type { Config } from "./config";
import { startJobs } from "./engines/jobs/start-jobs";
import { createMail } from "./engines/mail/mail";
import type { Engines } from "./engines/start-engines";
import { createCloudApi } from "./http/cloud-api";
import type { CloudCtx } from "./http/cloud-ctx";
import { cloudRows } from "./http/cloud-rows";
import { conversionRows, offersWithConversions } from "./http/conversion-rows";
import { watchDataCenters } from "./http/data-center-ranges";
import type { Surface } from "./http/mount-rows";
import { createOffersApi } from "./http/offers-api";
import type { RequestFacts } from "./http/request-facts";
import type { Actor } from "./identity/actors/actor";
import { createKeyAuthentication } from "./identity/api-keys/authenticate-api-key";
import { IdempotentAnswers } from "./identity/idempotency/idempotent-answers";
import type { AccountCtx } from "./identity/identity-ctx";
import { IDENTITY_CRONTAB, identityTasks } from "./identity/identity-tasks";
import { createTokenAuthentication } from "./identity/session-tokens/authenticate-session-token";
import { addressHash, isLoopbackAddress } from "./identity/sessions/address-hash";
import { authenticateSession } from "./identity/sessions/authenticate-session";
import { createLucia } from "./identity/sessions/create-lucia";
import { createSignUpModeReader } from "./identity/sign-up-mode/sign-up-mode";
import { createTenantCache } from "./identity/tenants/tenant-cache";
import { createHasher } from "./identity/users/hasher";
import { type Clock, systemClock } from "./kernel/clock";
import { issueText } from "./kernel/input-failure";
import { createLastUsed } from "./kernel/last-used";
import { deriveKey } from "./kernel/secrets";
import { MAINTENANCE_CRONTAB, maintenanceTasks } from "./maintenance";
import { createTrpcSurface, type TrpcSurface } from "./trpc/create-trpc-surface";

/** Parsing an address costs more than all else that is asked of it. */
const ADDRESSES_REMEMBERED = 1000;

export interface App {
  offers: Surface;
  cloud: Surface;
  trpc: TrpcSurface;
  account: AccountCtx;
  ads: AdsParts;
  /** Creatives and products that can be served. */
  catalogSize(): number;
  session: (cookie: string | null) => ReturnType<typeof authenticateSession>;
  /** Finishes what was accepted, then stops every loop; the engines are stopped by their owner. */
  stop(): Promise<void>;
}

export interface AppParts {
  engines: Engines;
  log: Logger;
  clock?: Clock;
  /** Made with `createAccount`; by default it is made here. */
  account?: AccountCtx;
  /** The tenant whose network campaigns are house offers elsewhere; by default the one that is marked as demo. */
  demoTenantId?: string | undefined;
  atStep?: AtStep;
}

/** Puts the parts together: engines, contexts, surfaces, and the loops of this process's roles. */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const { engines, log, clock = systemClock } = parts;
  // Every surface says the same of an input that is refused.
  z.config({ customError: issueText });
  const account = parts.account ?? (await createAccount(config, { engines, clock, log }));
  const cursorKey = deriveKey(engines.secret, "cursor");
  const { db, sql, clickhouse } = engines;
  const serving = await startServing(config, { ...parts, clock });
  const { signals, caps, consent, userKey, catalog, reserve, pixelKey, publicUrl } = serving;
  const shared = { signals, caps, consent, userKey, catalog, reserve, pixelKey, publicUrl };
  const ads = { db, sql, clickhouse, clock, cursorKey, currency: config.currency, ...shared };
  const keys = await createKeyAuthentication({ db, clock, counters: engines.counters });
  const tokens = await createTokenAuthentication(account);
  const tenants = await createTenantCache({ db, clock, counters: engines.counters });
  const dataCenters = watchDataCenters(config.dataCenterRanges, log);
  const channelKeys = channelKeysLastUsed({ db, clock });
  const loops = await startLoops(config, { ...parts, account, serving });
  const session = (cookie: string | null) => authenticateSession(account, cookie);
  const hashAddress = (address: string) => addressHash(account.addressKey, address);
  const exemptions = new LRUCache<string, boolean>({ max: ADDRESSES_REMEMBERED, memoMethod: isLoopbackAddress });
  const isExempt = (address: string) => config.isLoopback && exemptions.memo(address);
  // Public rows name verbs that take no actor.
  // Made once, with a place for what each request adds: V8 copies such an object a hundred times faster than it extends one.
  const every = { ...account, ...ads, tenants, request: undefined, actor: undefined };
  const ctxOf = (actor: Actor | undefined, request: RequestFacts): CloudCtx => ({
    ...every,
    request,
    actor: actor as Actor,
  });
  const authenticate = (bearer: string, facts: RequestFacts) =>
    (bearer.includes(".") ? tokens : keys).authenticate(bearer, facts);
  const { counters } = engines;
  const answers = new IdempotentAnswers({
    ...{ db, clock, counters, sealingKey: deriveKey(engines.secret, "idempotency") },
    ...(parts.atStep ? { atStep: parts.atStep } : {}),
  });
  const { limitsOf } = tenants;
  const cloudParts = { counters, hashAddress, isExempt, authenticate, limitsOf, answers, ctxOf, log };
  return {
    offers: offersWithConversions(
      createOffersApi({
        ...{ ctx: serving, hashAddress, isExempt, noteKeyUse: channelKeys.note, log },
        isDataCenter: dataCenters.has,
      }),
      createCloudApi({ ...cloudParts, rows: conversionRows }),
    ),
    cloud: createCloudApi({ ...cloudParts, rows: cloudRows }),
    trpc: createTrpcSurface({
      ...{ account, ads, authenticate: session, publicUrl: config.publicUrl, isLoopback: config.isLoopback },
      onInternal: (cause, facts) => log.error({ err: cause, request_id: facts.requestId }, "a dashboard call failed"),
    }),
    account,
    ads,
    catalogSize: () => serving.catalog.size,
    session,
    stop: async () => {
      await Promise.all([serving.records.drain(), serving.claims.drain()]);
      for (const loop of loops.reverse()) await loop.stop();
      await serving.signals.close();
      await serving.caps.stop();
      await serving.catalog.stop();
      await channelKeys.settled();
      dataCenters.stop();
      await keys.close();
      await tokens.close();
      await tenants.close();
      await account.signUpMode.close();
    },
  };
}

export async function createAccount(
  config: Config,
  { engines, clock, log }: { engines: Pick<Engines, "db" | "counters" | "secret">; clock: Clock; log: Logger },
): Promise<AccountCtx> {
  const { db, counters, secret } = engines;
  const { publicUrl, signup, isLoopback, smtpUrl } = config;
  const from = `svc <no-reply@${new URL(publicUrl).hostname}>`;
  const mail = createMail({ db, clock, from, isLoopback, ...(smtpUrl ? { smtpUrl } : {}) });
  if (mail.delivery === "none") log.warn("no SMTP_URL: nobody gets mail, links come from npm run svc -- admin");
  const addressKey = deriveKey(secret, "address");
  return {
    ...{ db, clock, counters, mail, publicUrl, addressKey },
    jwtKey: deriveKey(secret, "jwt"),
    signUpMode: await createSignUpModeReader({ db, clock, counters, configured: signup }),
    hasher: await createHasher(),
    lucia: createLucia({ db, clock, publicUrl }),
  };
}

const findDemoTenant = async ({ db }: Pick<Engines, "db">): Promise<string | undefined> =>
  (await db.tenant.findFirst({ where: { isDemo: true }, select: { id: true } }))?.id;

const channelKeysLastUsed = ({ db, clock }: Pick<AccountCtx, "db" | "clock">) =>
  createLastUsed({
    clock,
    write: ({ keyId: id, at, unlessAfter }) =>
      db.channelKey.updateMany({
        where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: unlessAfter } }] },
        data: { lastUsedAt: at },
      }),
  });

async function startServing(config: Config, parts: AppParts & { clock: Clock }): Promise<Omit<ServeCtx, "visitor">> {
  const { engines, clock, log } = parts;
  const signals = new SignalMemory({ sql: engines.sql, counters: engines.counters, clock });
  await signals.listen();
  const { sql, counters } = engines;
  const caps = new CapCounts({ sql, counters, clock, log });
  await caps.start();
  const records = new OfferRecords(sql);
  await counters.subscribe(ERASED_USERS, (user) => records.forgetUser(user));
  return {
    clock,
    counters,
    caps,
    catalog: await startCatalog({
      ...{ sql: engines.sql, clickhouse: engines.clickhouse, clock, log },
      // Stands beside the built server; without it, as in tests, one thread does everything.
      indexWorkerFile: path.join(import.meta.dirname, "index-worker.mjs"),
    }),
    records,
    claims: new Claims(engines.sql, parts.atStep),
    facts: new FactLog(engines.wal.own),
    signals,
    consent: new ConsentReader({ clock, vendorId: config.tcfVendorId }),
    publicUrl: config.publicUrl,
    publisherShare: config.publisherShare,
    reserve: config.reserve,
    sql: engines.sql,
    currency: config.currency,
    pixelKey: deriveKey(engines.secret, "pixel"),
    userKey: deriveKey(engines.secret, "user"),
    demoTenantId: parts.demoTenantId ?? (await findDemoTenant(engines)),
  };
}

interface LoopParts extends AppParts {
  account: AccountCtx;
  serving: Omit<ServeCtx, "visitor">;
}

/** Every process ships its own write-ahead file; the outbox and the jobs are for workers. */
async function startLoops(config: Config, parts: LoopParts): Promise<Loop[]> {
  const { engines, log, serving, account, atStep = noStep } = parts;
  const { clickhouse, sql } = engines;
  const replayClick = createReplayClick({ ...serving, publisherShare: config.publisherShare });
  const ship = { sql, clickhouse, replayClick, log, atStep };
  const leftovers = engines.wal.leftovers.map((wal) => shipLeftover({ ...ship, wal }));
  const loops: Loop[] = [shipFacts({ ...ship, wal: engines.wal.own }), ...leftovers];
  if (!config.roles.has("worker")) return loops;
  const jobs = await startJobs({
    pool: sql,
    log,
    tasks: {
      ...account.mail.tasks,
      ...identityTasks(account),
      ...maintenanceTasks({ sql, clock: account.clock, currency: config.currency }),
    },
    crontab: `${IDENTITY_CRONTAB}\n${MAINTENANCE_CRONTAB}`,
  });
  return [...loops, shipOutbox({ sql, clickhouse, log, atStep }), jobs];
}

/** Carries the file of an ended process and removes it; stopped before its end, it stays for the next start. */
function shipLeftover(parts: ShipFacts): Loop {
  const loop = shipFacts(parts, { untilEmpty: true });
  const removed = loop.done
    .then(() => (parts.wal.waitingBytes === 0 ? parts.wal.remove() : undefined))
    .catch((err: unknown) => parts.log.error({ err }, "a finished write-ahead file stays"));
  return {
    stop: async () => {
      await loop.stop();
      await removed;
    },
  };
}
