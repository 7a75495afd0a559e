import type { Actor, Mode } from "../identity/actors/actor";
import type { CursorScope } from "../kernel/cursor";
import type { AdsCtx } from "./ads-ctx";

/** Rows of the actor's tenant that are not archived. */
export const ownRows = (actor: Actor): { tenantId: string; archivedAt: null } => ({
  tenantId: actor.tenantId,
  archivedAt: null,
});

/** As `ownRows`, and of the key's mode: a key does not see the other mode, a person reaches both by id. */
export const ownRowsOfMode = (actor: Actor): { tenantId: string; archivedAt: null; mode?: Mode } =>
  actor.kind === "key" ? { ...ownRows(actor), mode: actor.mode } : ownRows(actor);

/** The scope of a list's cursor: the list's name and everything that filters it. */
export const listScope = (
  ctx: AdsCtx,
  list: string,
  filters: Record<string, string | undefined> = {},
): CursorScope => ({
  key: ctx.cursorKey,
  clock: ctx.clock,
  tenantId: ctx.actor.tenantId,
  filter: JSON.stringify([list, Object.entries(filters)]),
});

/** Where a page of a newest-first list begins: every list is ordered by id, and ids sort by time of creation. */
export const olderThan = (after: string | undefined): { id?: { lt: string } } =>
  after === undefined ? {} : { id: { lt: after } };
