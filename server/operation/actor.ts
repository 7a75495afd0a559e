/** Every scope that a platform key can have and an operation can require, with a short description. */
export const SCOPE_CATALOGUE = {
  "ads:read": "See channels, campaigns, feeds, reports and conversions",
  "ads:write": "Create and change channels, campaigns, creatives and feeds; report conversions",
  "keys:read": "See API keys, never their secrets",
  "keys:write": "Create, rotate and revoke API keys",
  "projects:read": "See projects",
  "projects:write": "Create, rename and archive projects",
  "usage:read": "See limits, how much of them is used, and requests by key",
  "billing:read": "See usage, what it costs, invoices and budgets of all projects",
  "billing:write": "Change budgets",
  "audit:read": "Read and verify the audit log",
  "pods:read": "See pods and reservations",
  "pods:write": "Run and stop pods, reserve capacity",
  "sandboxes:read": "See sandboxes and files in them",
  "sandboxes:write": "Run programs in sandboxes, write files in them, end them",
  "workspaces:read": "See workspaces and files in them",
  "workspaces:write": "Create and stop workspaces, run programs and write files in them",
  "edge:read": "See edge functions, their code and their logs, and resources of edge services",
  "edge:write": "Create, publish and delete edge functions, and resources of edge services; activate edge services",
  "gpuc:read": "See instances and other resources, activated services, SKUs and their usage",
  "gpuc:write": "Activate services, create, change and delete their resources",
  "queues:read": "See queues",
  "queues:write": "Create queues, send and receive messages",
  "storage:read": "See buckets, read and presign objects",
  "storage:write": "Create buckets, store and delete objects",
  "functions:read": "See functions, their code and their invocations",
  "functions:write": "Create, deploy and call functions",
  "secrets:read": "See the names of secrets, never their values",
  "secrets:write": "Store and delete secrets",
  "secrets:reveal": "Read the values of secrets",
  "gateway:read": "See chat models, requests, spend and budgets",
  "gateway:write": "Call chat models, change budgets and upstreams",
  "obs:read": "See resources of observability services",
  "obs:write": "Create, change and delete resources of observability services",
  "shield:read": "See scans of buckets and their findings, and resources of security services",
  "shield:write": "Scan buckets; create, change and delete resources of security services",
  "webhooks:read": "See webhooks and their deliveries",
  "webhooks:write": "Create webhooks, rotate their secrets, replay deliveries",
} as const;

export type Scope = keyof typeof SCOPE_CATALOGUE;

/** The groups of services whose resources svc provisions. The scopes of each are `<plane>:read` and `<plane>:write`. */
export const PLANES = ["gpuc", "edge", "obs", "shield"] as const;
export type Plane = (typeof PLANES)[number];

export const SCOPES = Object.keys(SCOPE_CATALOGUE) as [Scope, ...Scope[]];

export type Mode = "test" | "live";

/** Who a resource belongs to. */
export interface Owner {
  tenantId: string;
  projectId: string;
  mode: Mode;
}
export type Role = "owner" | "admin" | "member";

/** The caller, always of one tenant; a key is bound to one mode, a person chooses one per request. */
export type Actor = {
  tenantId: string;
  scopes: ReadonlySet<Scope>;
} & (
  | {
      kind: "key";
      keyId: string;
      projectId: string;
      mode: Mode;
      /** The caller has the secret from before the last rotation, which ends with the grace period. */
      usesPreviousSecret?: true;
    }
  | { kind: "person"; userId: string; sessionId: string; role: Role }
);

export type PersonActor = Extract<Actor, { kind: "person" }>;

/** Only owners and admins may change keys and projects, read the audit log and the values of secrets. */
const NOT_FOR_MEMBERS: ReadonlySet<Scope> = new Set<Scope>([
  "keys:write",
  "projects:write",
  "billing:write",
  "audit:read",
  "secrets:reveal",
]);
const MEMBER_SCOPES = SCOPES.filter((scope) => !NOT_FOR_MEMBERS.has(scope));

/**
 * The scopes of a role: owners and admins have all; members may read, and change what the products store (ads and cloud
 * resources), but not keys, projects or the team.
 */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> => new Set(role === "member" ? MEMBER_SCOPES : SCOPES);

/** The mode of a create or list operation: a key's own, otherwise the requested one, otherwise test. */
export const modeOf = (actor: Actor, requested: Mode | undefined): Mode =>
  actor.kind === "key" ? actor.mode : (requested ?? "test");
