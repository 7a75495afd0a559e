import type { Actor, Mode } from "../../../operation/actor";
import type { ServiceId } from "../planes/planes";
import { storedSpec } from "../specs/specs";
import type { ResourceCtx } from "./resource-ctx";

/** What a resource is, apart from who made it when. */
export interface ResourceIdentity extends ServiceId {
  tenantId: string;
  projectId: string;
  mode: Mode;
  kind: string;
  name: string;
  /** Parsed, with defaults. */
  spec: unknown;
}

/** The columns of a new row that its request determines. */
export function columnsOf(
  { families, actor }: Pick<ResourceCtx, "families" | "actor">,
  id: string,
  { spec, ...identity }: ResourceIdentity,
) {
  const { spec: schema } = families.kindOf(identity);
  const stored = storedSpec({ keys: families.keys, schema, id }, spec);
  return { id, ...identity, ...stored, createdBy: creatorOf(actor) };
}

const creatorOf = (actor: Actor) =>
  actor.kind === "key" ? { type: "api_key", id: actor.keyId } : { type: "user", id: actor.userId };
