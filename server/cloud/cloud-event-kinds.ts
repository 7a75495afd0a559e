import type { EventKind } from "../identity/events/event-kind";
import { billingBudgetEventKinds } from "./billing/budget.events";
import { chatBudgetEventKinds } from "./chat-ledger/chat-budget.events";
import { chatSettingsEventKinds } from "./chat-ledger/chat-settings.events";
import { chatUpstreamEventKinds } from "./chat-upstreams/chat-upstream.events";
import { podEventKinds } from "./pods/pod.events";
import { queueEventKinds } from "./queues/queue.events";
import { reservationEventKinds } from "./reservations/reservation.events";
import { secretEventKinds } from "./secrets/secret.events";
import { bucketEventKinds } from "./storage/bucket.events";
import { trainingRunEventKinds } from "./training-runs/training-run.events";
import { webhookEventKinds } from "./webhooks/webhook.events";

/** The kinds of events of the platform. */
export const CLOUD_EVENT_KINDS: readonly EventKind[] = [
  ...webhookEventKinds,
  ...podEventKinds,
  ...reservationEventKinds,
  ...queueEventKinds,
  ...bucketEventKinds,
  ...secretEventKinds,
  ...chatUpstreamEventKinds,
  ...trainingRunEventKinds,
  ...chatBudgetEventKinds,
  ...chatSettingsEventKinds,
  ...billingBudgetEventKinds,
];
