import { eventKind } from "../../operation/event-kind";
import { EXAMPLE_LATER } from "../../operation/example";
import { type NewEvent, newEvent } from "../events/record-event";
import { ApiKey } from "./api-key";
import { apiKeyExample } from "./api-key.example";

export const apiKeyCreated = eventKind({
  type: "api_key.created",
  description: "An API key was created; the secret is not part of the event.",
  data: ApiKey,
  example: apiKeyExample,
});

export const apiKeyRotated = eventKind({
  type: "api_key.rotated",
  description: "The secret of an API key was replaced; neither secret is part of the event.",
  data: ApiKey,
  example: { ...apiKeyExample, rotated_at: EXAMPLE_LATER },
});

export const apiKeyRevoked = eventKind({
  type: "api_key.revoked",
  description: "An API key was revoked.",
  data: ApiKey,
  example: { ...apiKeyExample, revoked_at: EXAMPLE_LATER },
});

export const apiKeyEventKinds = [apiKeyCreated, apiKeyRotated, apiKeyRevoked];

/** The event of a change of a key, in its project and mode. */
export const apiKeyEvent = (kind: typeof apiKeyCreated, key: ApiKey): NewEvent =>
  newEvent(kind, key, { projectId: key.project_id, mode: key.mode });
