/** Every scope that a platform key can carry and that a row can ask for, and what it allows in one line. */
export const SCOPE_CATALOGUE = {
  "ads:read": "See channels, campaigns, feeds, reports and conversions",
  "ads:write": "Create and change channels, campaigns, creatives and feeds; report conversions",
  "keys:read": "See API keys, never their secrets",
  "keys:write": "Create, rotate and revoke API keys",
  "projects:read": "See projects",
  "projects:write": "Create, rename and archive projects",
  "usage:read": "See limits and how much of them is used",
  "audit:read": "Read and verify the audit log",
  "pods:read": "See pods and reservations",
  "pods:write": "Run and stop pods, reserve capacity",
  "edge:read": "See edge policies, classifiers and database accelerators",
  "edge:write": "Create and change edge policies, classifiers and database accelerators",
  "queues:read": "See queues",
  "queues:write": "Create queues, send and receive messages",
  "webhooks:read": "See webhooks and their deliveries",
  "webhooks:write": "Create webhooks, rotate their secrets, replay deliveries",
} as const;

export type Scope = keyof typeof SCOPE_CATALOGUE;

export const SCOPES = Object.keys(SCOPE_CATALOGUE) as [Scope, ...Scope[]];

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

/** Keys, projects and the log of what people did are for owners and admins. */
const NOT_FOR_MEMBERS: ReadonlySet<Scope> = new Set<Scope>(["keys:write", "projects:write", "audit:read"]);
const MEMBER_SCOPES = SCOPES.filter((scope) => !NOT_FOR_MEMBERS.has(scope));

/**
 * What a role may do wherever a key with these scopes could: owners and admins everything, members read, and write what
 * the products keep (ads and cloud objects), but neither keys nor team.
 */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> => new Set(role === "member" ? MEMBER_SCOPES : SCOPES);

/** The mode that a create or a list acts in: a key's own, else what was asked for, else test. */
export const modeOf = (actor: Actor, asked: Mode | undefined): Mode =>
  actor.kind === "key" ? actor.mode : (asked ?? "test");
