import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Mail } from "../engines/mail/mail";
import type { StartedAlarms } from "../engines/start-alarms";
import type { Engines } from "../engines/start-engines";
import type { NamedContext } from "../identity/part";
import type { Clock } from "../kernel/clock";
import { deriveKey } from "../kernel/secrets";
import type { StopStack } from "../kernel/stop-stack";
import type { EventKind } from "../operation/event-kind";
import type { PromptOffers } from "./ai/ledger/prompt-offers";
import { type CloudConfig, type CloudReplacements, cloudParts } from "./cloud-parts";
import { webhookUrlPolicy } from "./events/webhooks/webhook-url";

export interface StartCloud extends CloudReplacements {
  engines: Pick<Engines, "db" | "sql" | "clickhouse" | "counters" | "secret" | "blobs" | "space">;
  clock: Clock;
  mail: Mail;
  alarms: Pick<StartedAlarms, "add" | "wake" | "announce">;
  log: Logger;
  stops: StopStack;
  /** Every kind of event, of all products. */
  eventKinds: readonly EventKind[];
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
}

/** Starts the platform with the background work of this process's roles. */
export async function startCloud(config: CloudConfig, parts: StartCloud) {
  const { engines, clock, mail, stops } = parts;
  const { db, sql, clickhouse, counters, secret, blobs, space } = engines;
  const { publicUrl, currency, publicPorts } = config;
  const stopping = new AbortController();
  // Every request that waits for messages listens.
  setMaxListeners(0, stopping.signal);
  const started = await cloudParts.start(
    { ...parts, config, secret, previousSecret: config.previousSecret, blobs, space, mail },
    {
      eventKinds: parts.eventKinds,
      promptOffers: parts.promptOffers,
      db,
      sql,
      clickhouse,
      counters,
      clock,
      publicUrl,
      currency,
      publicPorts,
      encryptionKey: deriveKey(secret, "encryption"),
      secretsKey: deriveKey(secret, "secrets"),
      cursorKey: deriveKey(secret, "cursor"),
      urlPolicy: webhookUrlPolicy(config),
      stopping: stopping.signal,
    },
    stops,
  );
  return {
    ...started,
    ctx: started.ctx satisfies NamedContext<typeof cloudParts>,
    /** Ends the requests that wait for messages. */
    endWaits: () => stopping.abort(),
  };
}
