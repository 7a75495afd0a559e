import type { EventKind } from "../identity/events/event-kind";
import { billingBudgetEventKinds } from "./billing/budget.events";
import { chatBudgetEventKinds } from "./chat-ledger/chat-budget.events";
import { chatSettingsEventKinds } from "./chat-ledger/chat-settings.events";
import { chatUpstreamEventKinds } from "./chat-upstreams/chat-upstream.events";
import { edgeFunctionEventKinds } from "./edge/edge-function.events";
import { functionEventKinds } from "./functions/function.events";
import { nodeEventKinds } from "./node-events/node-event.events";
import { podEventKinds } from "./pods/pod.events";
import { queueEventKinds } from "./queues/queue.events";
import { reservationEventKinds } from "./reservations/reservation.events";
import { resourceEventKinds } from "./resources/resource.events";
import { sandboxEventKinds } from "./sandboxes/sandbox.events";
import { secretEventKinds } from "./secrets/secret.events";
import { shieldScanEventKinds } from "./shield/shield-scan.events";
import { bucketEventKinds } from "./storage/bucket.events";
import { trainingRunEventKinds } from "./training-runs/training-run.events";
import { webhookEventKinds } from "./webhooks/webhook.events";
import { workspaceEventKinds } from "./workspaces/workspace.events";

/** The kinds of events of the platform. */
export const CLOUD_EVENT_KINDS: readonly EventKind[] = [
  ...webhookEventKinds,
  ...podEventKinds,
  ...sandboxEventKinds,
  ...workspaceEventKinds,
  ...reservationEventKinds,
  ...resourceEventKinds,
  ...nodeEventKinds,
  ...queueEventKinds,
  ...bucketEventKinds,
  ...secretEventKinds,
  ...shieldScanEventKinds,
  ...functionEventKinds,
  ...edgeFunctionEventKinds,
  ...chatUpstreamEventKinds,
  ...trainingRunEventKinds,
  ...chatBudgetEventKinds,
  ...chatSettingsEventKinds,
  ...billingBudgetEventKinds,
];
