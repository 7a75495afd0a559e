import { z } from "zod";
import type { AdsReplacements } from "./ads/ads-parts";
import { findChannelKeys } from "./ads/channels/find-channel-keys";
import { createPromptOffers } from "./ads/offers/create-prompt-offers";
import { type StartAds, startAds } from "./ads/start-ads";
import { confirmingChatRules } from "./cloud/ai/ledger/announce-chat-rules";
import type { CloudReplacements } from "./cloud/cloud-parts";
import { startCloud } from "./cloud/start-cloud";
import type { Config } from "./config";
import { type MinuteTasks, startJobs } from "./engines/jobs/start-jobs";
import { startAlarms } from "./engines/start-alarms";
import { ALL_EVENT_KINDS } from "./event-kinds";
import type { Hasher } from "./identity/identity-ctx";
import { startIdentity } from "./identity/start-identity";
import { systemClock } from "./kernel/clock";
import { issueText } from "./kernel/input-failure";
import type { StopStack } from "./kernel/stop-stack";
import { scopesAllowing } from "./operation/authorize";
import { ALL_QUOTAS } from "./quotas";
import { orderRoutes, platformRoutes } from "./surfaces/http/routes";

export interface ProductsParts
  extends Pick<StartAds, "engines" | "log">,
    Partial<Pick<StartAds, "clock">>,
    AdsReplacements,
    CloudReplacements {
  /** Created with `createHasher`; by default it is created here. */
  hasher?: Hasher | undefined;
  /** "manual": background work is done in `settle` only; for tests. */
  rounds?: "manual" | undefined;
}

export type Products = Awaited<ReturnType<typeof startProducts>>;

/** Starts the account system and the products with their background work. What it starts, `stops` stops. */
export async function startProducts(config: Config, parts: ProductsParts, stops: StopStack) {
  const { log, clock = systemClock } = parts;
  const engines = { ...parts.engines, counters: confirmingChatRules(parts.engines) };
  // Every surface describes invalid input with the same messages.
  z.config({ customError: issueText });
  const alarms = startAlarms({ sql: engines.sql, clock, log, isManual: parts.rounds === "manual" });
  stops.push("background rounds", () => alarms.stop());
  const scopesInUse = new Set<string>(
    [...platformRoutes, ...orderRoutes].flatMap(({ operation }) => scopesAllowing(operation.access)),
  );
  const identity = await startIdentity(config, {
    engines,
    clock,
    log,
    stops,
    hasher: parts.hasher,
    findProductKeys: [findChannelKeys],
    eventKinds: ALL_EVENT_KINDS,
    quotas: ALL_QUOTAS,
    scopesInUse,
  });
  const ads = await startAds(config, { ...parts, clock, alarms, stops });
  const cloud = await startCloud(config, {
    ...parts,
    engines,
    clock,
    mail: identity.ctx.mail,
    alarms,
    stops,
    eventKinds: ALL_EVENT_KINDS,
    promptOffers: createPromptOffers(ads.serving),
  });
  if (config.roles.has("worker")) {
    const tasks = { ...identity.tasks, ...ads.tasks, ...cloud.tasks };
    await startWork([identity, ads, cloud], { pool: engines.sql, alarms, log, tasks }, stops);
  }
  return { engines, alarms, identity, ads, cloud, clock, log };
}

async function startWork(
  parts: readonly { crontab: string; everyMinute?: MinuteTasks }[],
  work: Omit<Parameters<typeof startJobs>[0], "crontab" | "everyMinute">,
  stops: StopStack,
): Promise<void> {
  const crontab = parts.map((part) => part.crontab).join("\n");
  const everyMinute = Object.assign({}, ...parts.map((part) => part.everyMinute)) as MinuteTasks;
  const jobs = await startJobs({ ...work, crontab, everyMinute });
  stops.push("jobs", () => jobs.stop());
}
