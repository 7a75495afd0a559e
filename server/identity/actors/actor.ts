/** Every scope that a platform key can carry and that a row can ask for. */
export const SCOPES = [
  "ads:read",
  "ads:write",
  "keys:read",
  "keys:write",
  "pods:read",
  "pods:write",
  "edge:read",
  "edge:write",
  "queues:read",
  "queues:write",
  "webhooks:read",
  "webhooks:write",
] as const;

export type Scope = (typeof SCOPES)[number];
export type Mode = "test" | "live";
export type Role = "owner" | "admin" | "member";

/** Who calls: always one tenant; a key is bound to one mode, a person picks one per request. */
export type Actor = {
  tenantId: string;
  scopes: ReadonlySet<Scope>;
} & (
  | { kind: "key"; keyId: string; projectId: string; mode: Mode }
  | { kind: "person"; userId: string; sessionId: string; role: Role }
);

export type PersonActor = Extract<Actor, { kind: "person" }>;

const MEMBER_SCOPES = SCOPES.filter((scope) => scope.endsWith(":read") || scope === "ads:write");

/** What a role may do wherever a key with these scopes could (DESIGN: owner and admin all, member no keys). */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> => new Set(role === "member" ? MEMBER_SCOPES : SCOPES);

/** The mode that a create or a list acts in: a key's own, else what was asked for, else test. */
export const modeOf = (actor: Actor, asked: Mode | undefined): Mode =>
  actor.kind === "key" ? actor.mode : (asked ?? "test");
