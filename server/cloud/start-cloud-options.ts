import type { Logger } from "pino";
import type { Network } from "../engines/guarded-fetch";
import type { StartedAlarms } from "../engines/start-alarms";
import type { Engines } from "../engines/start-engines";
import type { RuntimeConfig, StartedRuntime } from "../engines/start-runtime";
import type { EventKind } from "../identity/events/event-kind";
import type { AccountCtx } from "../identity/identity-ctx";
import type { StopStack } from "../kernel/stop-stack";
import type { OperatorUpstream } from "./ai/gateway/upstream";
import type { PromptOffers } from "./ai/ledger/prompt-offers";
import type { AtChatStep } from "./ai/ledger/steps";
import type { AtResourceStep } from "./core/resources/steps";
import type { AtWebhookStep } from "./events/webhooks/steps";
import type { AtBillingStep } from "./money/billing/steps";
import type { StripeSettings } from "./money/billing/stripe-processor";

export interface CloudConfig extends RuntimeConfig {
  publicUrl: string;
  currency: string;
  /** The domain below which each workspace has a host; undefined: there is none. */
  workspacesDomain: string | undefined;
  /** The same for edge functions. */
  edgeDomain: string | undefined;
  /** Further names of svc in the `Host` header. */
  allowedHosts: readonly string[];
  port: number;
  roles: ReadonlySet<string>;
  /** PUBLIC_URL is a loopback address: webhooks may then use http on loopback addresses. */
  isLoopback: boolean;
  /** Those of the operators' file. */
  chatUpstreams: readonly OperatorUpstream[];
  dataDir: string;
  /** The folder that contains package.json. */
  rootDir: string;
  /** undefined: invoices are not passed to a payment processor. */
  stripe: Pick<StripeSettings, "secretKey" | "webhookSecret"> | undefined;
  /** This process among those that share the data directory. */
  member?: { slot: number; of: number } | undefined;
}

export interface StartCloud {
  engines: Pick<Engines, "db" | "sql" | "clickhouse" | "counters" | "secret" | "blobs" | "space">;
  account: Pick<AccountCtx, "mail" | "clock">;
  alarms: Pick<StartedAlarms, "add" | "wake" | "announce">;
  log: Logger;
  stops: StopStack;
  /** Every kind of event, of all products. */
  eventKinds: readonly EventKind[];
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
  /** How webhooks are delivered; by default over the public network. */
  webhookNetwork?: Network | undefined;
  /** The same for chat upstreams of tenants. */
  chatNetwork?: Network | undefined;
  /** The same for models that are converted. */
  modelNetwork?: Network | undefined;
  /** What functions and edge functions reach; by default the public network. */
  functionNetwork?: Network | undefined;
  /** What runs pods; by default what the configuration says. */
  runtime?: StartedRuntime | undefined;
  /** The compiled scan-worker.ts; by default the file next to the compiled server. */
  scanWorkerFile?: string | undefined;
  atWebhookStep?: AtWebhookStep | undefined;
  atChatStep?: AtChatStep | undefined;
  atBillingStep?: AtBillingStep | undefined;
  atResourceStep?: AtResourceStep | undefined;
  /** Where Stripe's API is; by default on the public network. */
  stripeEndpoint?: StripeSettings["endpoint"];
}
