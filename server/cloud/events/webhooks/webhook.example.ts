import { EXAMPLE_LATER, EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { Delivery, DeliveryWithAttempts } from "./delivery";
import type { Webhook } from "./webhook";

export const webhookExample: Webhook = {
  id: exampleId("whk"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "Order sync",
  url: "https://hooks.shop.example/svc",
  events: ["webhook.disabled", "training.run.*"],
  status: "enabled",
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  previous_secret_until: null,
  ...EXAMPLE_TIMES,
};

/** Base64 of 32 bytes follows the prefix. */
export const EXAMPLE_SECRET = "whsec_…";

export const deliveryExample: Delivery = {
  id: exampleId("dlv"),
  webhook_id: webhookExample.id,
  event_id: exampleId("evt"),
  event_type: "training.run.completed",
  status: "succeeded",
  attempt_count: 1,
  next_attempt_at: null,
  retries_left: 5,
  last_status_code: 200,
  last_error: null,
  created_at: EXAMPLE_LATER,
  finished_at: EXAMPLE_LATER,
};

export const deliveryWithAttemptsExample: DeliveryWithAttempts = {
  ...deliveryExample,
  event: {
    id: deliveryExample.event_id,
    type: deliveryExample.event_type,
    created_at: EXAMPLE_LATER,
    tenant_id: exampleId("ten"),
    project_id: webhookExample.project_id,
    mode: webhookExample.mode,
    data: { pod_id: exampleId("pod"), started_at: EXAMPLE_TIME, finished_at: EXAMPLE_LATER, exit_code: 0 },
  },
  attempts: [
    {
      id: exampleId("att"),
      number: 1,
      started_at: EXAMPLE_LATER,
      latency_ms: 84,
      status_code: 200,
      error: null,
      response_body: "ok",
    },
  ],
};
