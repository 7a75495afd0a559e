import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Secret } from "./secret";
import { secretExample } from "./secret.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const SecretFields = Secret.extend({});

export const secretCreated = eventKind({
  type: "secret.created",
  description: "A secret was stored under a new name. No event contains a value.",
  data: SecretFields,
  example: secretExample,
});

export const secretUpdated = eventKind({
  type: "secret.updated",
  description: "A new version of a secret was stored.",
  data: SecretFields,
  example: { ...secretExample, version: 2 },
});

export const secretDeleted = eventKind({
  type: "secret.deleted",
  description: "A secret was deleted with all its versions.",
  data: SecretFields,
  example: secretExample,
});

export const secretEventKinds: readonly EventKind[] = [secretCreated, secretUpdated, secretDeleted];
