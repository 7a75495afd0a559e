import { type EventKind, eventKind } from "../../../operation/event-kind";
import { EXAMPLE_LATER } from "../../../operation/example";
import { Webhook as data, withoutUrlQuery } from "./webhook";
import { webhookExample } from "./webhook.example";

/** In events the URL is without its query. */
const example = withoutUrlQuery(webhookExample);

export const webhookCreated = eventKind({
  type: "webhook.created",
  description: "A webhook was created.",
  data,
  example,
});

export const webhookUpdated = eventKind({
  type: "webhook.updated",
  description: "The name, URL, subscriptions or status of a webhook were changed, or its secret was rotated.",
  data,
  example: { ...example, updated_at: EXAMPLE_LATER },
});

export const webhookDeleted = eventKind({
  type: "webhook.deleted",
  description: "A webhook was deleted.",
  data,
  example,
});

export const webhookDisabled = eventKind({
  type: "webhook.disabled",
  description:
    "A webhook was disabled: by request, because its endpoint responded 410 (`gone`), or because every attempt failed for 5 days (`failing`).",
  data,
  example: { ...example, status: "disabled", disabled_reason: "failing", disabled_at: EXAMPLE_LATER },
});

export const webhookEventKinds: readonly EventKind[] = [
  webhookCreated,
  webhookUpdated,
  webhookDeleted,
  webhookDisabled,
];
