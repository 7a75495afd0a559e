import type { CursorScope } from "../kernel/cursor";
import type { ActorCtx } from "./identity-ctx";

/**
 * The scope of a list's cursor: the tenant, the name of the list, the mode of a key and all filters. A cursor is valid
 * only for the same request.
 */
export const listScope = (
  { cursorKey, clock, actor }: Pick<ActorCtx, "cursorKey" | "clock" | "actor">,
  list: string,
  filters: Record<string, string | undefined> = {},
): CursorScope => ({
  key: cursorKey,
  clock,
  tenantId: actor.tenantId,
  filter: JSON.stringify([list, actor.kind === "key" ? actor.mode : null, Object.entries(filters)]),
});
