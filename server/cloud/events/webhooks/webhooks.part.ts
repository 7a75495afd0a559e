import type { Pool } from "pg";
import type { Logger } from "pino";
import type { AddressPolicy } from "../../../engines/address-policy";
import type { Network } from "../../../engines/guarded-fetch";
import type { Mail } from "../../../engines/mail/mail";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { startDeliveries } from "./start-deliveries";
import { type AtWebhookStep, noWebhookStep } from "./steps";
import { sweepDeliveries } from "./sweep-deliveries";
import { webhookEventKinds } from "./webhook.events";
import { ATTEMPT_MS, WebhookSender } from "./webhook-sender";
import { WEBHOOK_QUOTAS } from "./webhooks.quotas";
import { webhookRoutes } from "./webhooks.routes";

const SWEEP_DELIVERIES = "sweep_webhook_deliveries";

interface Needs {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  mail: Mail;
  log: Logger;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  publicUrl: string;
  encryptionKey: Buffer;
  urlPolicy: AddressPolicy;
  /** How webhooks are delivered; by default over the public network. */
  webhookNetwork?: Network | undefined;
  atWebhookStep?: AtWebhookStep | undefined;
  config: { roles: ReadonlySet<string> };
}

interface Gives {
  /** Makes the attempts that a call waits for. */
  sender: WebhookSender;
}

/** Webhooks, which workers deliver. */
export const webhooksPart: Part<Needs, Gives, typeof webhookRoutes> = {
  name: "webhooks",
  routes: [webhookRoutes],
  eventKinds: webhookEventKinds,
  quotas: Object.values(WEBHOOK_QUOTAS),
  start: (needs) => {
    const { db, sql, clock, log, alarms, config, atWebhookStep: atStep = noWebhookStep } = needs;
    const sender = new WebhookSender({
      db,
      sql,
      clock,
      log,
      atStep,
      mail: needs.mail,
      publicUrl: needs.publicUrl,
      encryptionKey: needs.encryptionKey,
      network: needs.webhookNetwork,
      policy: needs.urlPolicy,
      attemptMs: ATTEMPT_MS,
      random: Math.random,
    });
    const deliveries = config.roles.has("worker")
      ? startDeliveries({ sql, clock, log, atStep, sender, alarms })
      : undefined;
    return {
      gives: { sender },
      tasks: { [SWEEP_DELIVERIES]: () => sweepDeliveries({ db, clock }) },
      crontab: [`27 * * * * ${SWEEP_DELIVERIES}`],
      stop: async () => {
        await deliveries?.stop();
        await sender.close();
      },
    };
  },
};
