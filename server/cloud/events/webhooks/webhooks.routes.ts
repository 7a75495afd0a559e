import { route, routeGroup } from "../../../operation/route";
import { createWebhook } from "./create-webhook";
import { deleteWebhook } from "./delete-webhook";
import { getWebhook } from "./get-webhook";
import { getWebhookDelivery } from "./get-webhook-delivery";
import { listWebhookDeliveries } from "./list-webhook-deliveries";
import { listWebhooks } from "./list-webhooks";
import { replayWebhookDeliveries } from "./replay-webhook-deliveries";
import { replayWebhookDelivery } from "./replay-webhook-delivery";
import { rotateWebhookSecret } from "./rotate-webhook-secret";
import { testWebhook } from "./test-webhook";
import { updateWebhook } from "./update-webhook";

export const webhookRoutes = routeGroup("Webhooks", "Endpoints that receive events, and the log of their deliveries", [
  route("POST", "/v1/webhooks", createWebhook),
  route("GET", "/v1/webhooks", listWebhooks),
  route("GET", "/v1/webhooks/{id}", getWebhook),
  route("PATCH", "/v1/webhooks/{id}", updateWebhook),
  route("DELETE", "/v1/webhooks/{id}", deleteWebhook),
  route("POST", "/v1/webhooks/{id}/rotate-secret", rotateWebhookSecret),
  route("POST", "/v1/webhooks/{id}/test", testWebhook),
  route("GET", "/v1/webhooks/{id}/deliveries", listWebhookDeliveries),
  route("GET", "/v1/webhooks/{id}/deliveries/{delivery_id}", getWebhookDelivery),
  route("POST", "/v1/webhooks/{id}/deliveries/{delivery_id}/replay", replayWebhookDelivery),
  route("POST", "/v1/webhooks/{id}/deliveries/replay", replayWebhookDeliveries),
]);
