import type { Actor, Mode } from "../operation/actor";

/** Selects rows of the actor's tenant that are not archived. */
export const ownRows = (actor: Actor): { tenantId: string; archivedAt: null } => ({
  tenantId: actor.tenantId,
  archivedAt: null,
});

/**
 * Like `ownRows`, restricted to the mode of the key. A key cannot access the other mode; a person can access both by
 * id.
 */
export const ownRowsOfMode = (actor: Actor): { tenantId: string; archivedAt: null; mode?: Mode } =>
  actor.kind === "key" ? { ...ownRows(actor), mode: actor.mode } : ownRows(actor);

/** Like `ownRowsOfMode`, archived rows included. */
export const ownRowsOrArchived = (actor: Actor): { tenantId: string; mode?: Mode } =>
  actor.kind === "key" ? { tenantId: actor.tenantId, mode: actor.mode } : { tenantId: actor.tenantId };

/** Selects where a page of a newest-first list begins. Lists are ordered by id, and ids sort by creation time. */
export const olderThan = (after: string | undefined): { id?: { lt: string } } =>
  after === undefined ? {} : { id: { lt: after } };
