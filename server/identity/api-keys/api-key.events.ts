import { eventsOf } from "../../operation/event-kind";
import { EXAMPLE_LATER } from "../../operation/example";
import { type NewEvent, newEvent } from "../events/record-event";
import { ApiKey } from "./api-key";
import { apiKeyExample } from "./api-key.example";

const eventOf = eventsOf(ApiKey, apiKeyExample);

export const apiKeyCreated = eventOf("api_key.created", "An API key was created; the secret is not part of the event.");

export const apiKeyRotated = eventOf(
  "api_key.rotated",
  "The secret of an API key was replaced; neither secret is part of the event.",
  { ...apiKeyExample, rotated_at: EXAMPLE_LATER },
);

export const apiKeyRevoked = eventOf("api_key.revoked", "An API key was revoked.", {
  ...apiKeyExample,
  revoked_at: EXAMPLE_LATER,
});

export const apiKeyEventKinds = [apiKeyCreated, apiKeyRotated, apiKeyRevoked];

/** The event of a change of a key, in its project and mode. */
export const apiKeyEvent = (kind: typeof apiKeyCreated, key: ApiKey): NewEvent =>
  newEvent(kind, key, { projectId: key.project_id, mode: key.mode });
