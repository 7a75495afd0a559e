import type { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Json } from "../../../identity/stored-json";
import type { Mode } from "../../../operation/actor";
import type { CountedQuota } from "../../../operation/quota";

/** A resource, as its family sees it. */
export interface DesiredResource<S = unknown> {
  rid: string;
  tenantId: string;
  projectId: string;
  mode: Mode;
  name: string;
  spec: S;
  generation: number;
  createdAt: Date;
  createdBy: Creator;
  /** Keyed hashes of the secrets that its creation returned, by name. */
  secretHashes: Readonly<Record<string, string>>;
}

/** Who created a resource. */
export interface Creator {
  type: "api_key" | "user";
  id: string;
}

/** Where a resource is to be. */
export interface ResourceOwner {
  tenantId: string;
  mode: Mode;
}

/** Who creates or changes a resource, and where. */
export interface AuthorizeSpecCtx extends Pick<ActorCtx, "db" | "actor"> {
  owner: ResourceOwner & { projectId: string };
}

/** Why something cannot be provisioned, and what to do about it. */
export interface Blocker {
  code: "not_activated" | "engine_missing" | "needs_network" | "needs_capability" | "target_missing" | "elsewhere";
  message: string;
  remedy: string;
}

/** One step that provisioning would take, and how its effect is seen from outside. */
export interface PlanStep {
  step: string;
  what: string;
  proof: string;
}

/** Where the effect is reached. */
export interface Endpoint {
  protocol: string;
  url: string;
}

/** A command with which its owner sees the effect. */
export interface Proof {
  title: string;
  command: string;
}

/** What was seen of an effect. */
export type Observed = { [name: string]: Json };

/** What an effect looks like from outside. */
export type Observation =
  | { is: "present"; observed: Observed }
  /** It is on its way, such as a machine that boots. */
  | { is: "changing"; observed: Observed }
  /** It exists, but does not do what it should. */
  | { is: "faulty"; observed: Observed; message: string }
  | { is: "absent" };

/** The `driftSeconds` of a kind whose effects nothing but its own steps and what wakes them changes: six hours. */
export const SELDOM_SECONDS = 21_600;

/**
 * One kind of resource. `provision` and `remove` can be called again after a crash; names in the outside world derive
 * from `rid`, so that a repetition makes nothing twice.
 */
export interface Kind<S = unknown> {
  /**
   * The default kind of a service parses `{}`, unless a tool has required arguments. What `ref` marks is checked and held by
   * the core.
   */
  spec: z.ZodType<S>;
  /** Throws for what the caller may not use: the effect acts on their behalf. `before`: the spec that is changed. */
  authorizeSpec?(ctx: AuthorizeSpecCtx, spec: S, before?: S): Promise<void>;
  /** How many a tenant may have, besides what the plan tier says. */
  quota?: CountedQuota;
  /** Throws for a change that an existing effect cannot follow. Absent: it follows all. */
  assertChange?(before: S, after: S): void;
  /**
   * Throws `conflict` for a change of what others depend on; what it locks stays so until the change is committed. What must
   * not be used any more after that is changed here, as `provision` comes later.
   */
  beginChange?(tx: Prisma.TransactionClient, desired: DesiredResource<S>, after: S): Promise<void>;
  /** Absent: it can always be provisioned. */
  blockerOf?(spec: S, owner: ResourceOwner): Promise<Blocker | undefined>;
  /** Secrets that the response to the creation shows, by name, and nothing later: only keyed hashes of them are stored. */
  newSecrets?(): Record<string, string>;
  /** Depends on its arguments alone, so that equal placeholders have equal plans. */
  plan(spec: S, name: string): PlanStep[];
  /** Its effect is a result: when it is ready, nothing of it changes any more, and it is not looked at again. */
  settled?: true;
  /**
   * How often effects at rest are looked at, in seconds; default 60. More where only its own steps change the effect, or
   * what wakes it does (the table `resource_wakes`).
   */
  driftSeconds?: number;
  /** Its observation waits for programs of tenants. */
  asksPrograms?: true;
  /**
   * Throws ServiceError when it fails; it is called again later. `signal` of this and the following ones is aborted at
   * the deadline of the step, and when svc stops; no other step of the resource begins before the promise settles.
   */
  provision(desired: DesiredResource<S>, signal: AbortSignal): Promise<Observation>;
  /** Asks the effects, not the rows of resources. What it does not return is absent. */
  observe(desired: readonly DesiredResource<S>[], signal: AbortSignal): Promise<ReadonlyMap<string, Observation>>;
  /** Throws for an effect that is in use, in the transaction that begins its deletion. Absent: each can be deleted. */
  beginRemoval?(tx: Prisma.TransactionClient, desired: DesiredResource<S>): Promise<void>;
  /** Returns true when nothing is left of the effect. */
  remove(desired: DesiredResource<S>, signal: AbortSignal): Promise<boolean>;
  /** Ends the use of the effect without deleting its data. Absent: a service with one cannot be deactivated. */
  suspend?(desired: DesiredResource<S>, signal: AbortSignal): Promise<boolean>;
  endpoints?(desired: DesiredResource<S>, observed: Observed): Endpoint[];
  tryIt?(desired: DesiredResource<S>, observed: Observed): Proof[];
}
