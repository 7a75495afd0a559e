import type { EventKind } from "../identity/events/event-kind";
import { chatBudgetEventKinds } from "./ai/ledger/chat-budget.events";
import { chatSettingsEventKinds } from "./ai/ledger/chat-settings.events";
import { chatUpstreamEventKinds } from "./ai/upstreams/chat-upstream.events";
import { functionEventKinds } from "./compute/functions/function.events";
import { nodeEventKinds } from "./compute/node-events/node-event.events";
import { podEventKinds } from "./compute/pods/pod.events";
import { reservationEventKinds } from "./compute/reservations/reservation.events";
import { sandboxEventKinds } from "./compute/sandboxes/sandbox.events";
import { trainingRunEventKinds } from "./compute/training-runs/training-run.events";
import { workspaceEventKinds } from "./compute/workspaces/workspace.events";
import { resourceEventKinds } from "./core/resources/resource.events";
import { bucketEventKinds } from "./data/buckets/bucket.events";
import { queueEventKinds } from "./data/queues/queue.events";
import { secretEventKinds } from "./data/secrets/secret.events";
import { edgeFunctionEventKinds } from "./edge/workers/edge-function.events";
import { webhookEventKinds } from "./events/webhooks/webhook.events";
import { billingBudgetEventKinds } from "./money/billing/budget.events";
import { shieldScanEventKinds } from "./shield/scans/shield-scan.events";

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
