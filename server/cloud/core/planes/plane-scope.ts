import { type Actor, PLANES, type Plane, type Scope } from "../../../operation/actor";
import { assertScope } from "../../../operation/authorize";

type Right = "read" | "write";

/** The scope with which a caller may read or change the resources of a plane. */
export const scopeOf = (plane: Plane, right: Right): Scope => `${plane}:${right}`;

/** Throws `forbidden` (reason `scope_missing`) for a caller without a scope of a plane. */
export const assertPlaneScope = (actor: Actor, plane: Plane, right: Right): void =>
  assertScope(actor, scopeOf(plane, right));

/** The planes of a list: the one that is asked for, or all that the caller may read. Throws `forbidden`. */
export function readablePlanes(actor: Actor, asked: Plane | undefined): Plane[] {
  if (asked === undefined) return PLANES.filter((plane) => actor.scopes.has(scopeOf(plane, "read")));
  assertPlaneScope(actor, asked, "read");
  return [asked];
}
