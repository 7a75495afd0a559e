import { type EventKind, eventsOf } from "../../../operation/event-kind";
import { Secret } from "./secret";
import { secretExample } from "./secret.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const SecretFields = Secret.extend({});

const eventOf = eventsOf(SecretFields, secretExample);

export const secretCreated = eventOf(
  "secret.created",
  "A secret was stored under a new name. No event contains a value.",
);

export const secretUpdated = eventOf("secret.updated", "A new version of a secret was stored.", {
  ...secretExample,
  version: 2,
});

export const secretDeleted = eventOf("secret.deleted", "A secret was deleted with all its versions.");

export const secretEventKinds: readonly EventKind[] = [secretCreated, secretUpdated, secretDeleted];
