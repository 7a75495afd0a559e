import type { Logger } from "pino";
import type { Engines } from "../engines/start-engines";
import type { Clock } from "../kernel/clock";
import type { EventKind } from "../operation/event-kind";
import { apiKeysPart } from "./api-keys/api-keys.part";
import { auditPart } from "./audit/audit.part";
import { eventsPart } from "./events/events.part";
import { expiredPart } from "./expired/expired.part";
import type { AccountCtx, ActorCtx, Hasher } from "./identity-ctx";
import { invitationsPart } from "./invitations/invitations.part";
import { logInsPart } from "./log-ins/log-ins.part";
import { outboxPart } from "./outbox/outbox.part";
import { PartList } from "./part";
import { passwordsPart } from "./passwords/passwords.part";
import { projectsPart } from "./projects/projects.part";
import { quotasPart } from "./quotas/quotas.part";
import type { FindKeys } from "./request-counts/request-count";
import { requestCountsPart } from "./request-counts/request-counts.part";
import { sessionTokensPart } from "./session-tokens/session-tokens.part";
import { sessionsPart } from "./sessions/sessions.part";
import { signUpPart } from "./sign-up/sign-up.part";
import type { SignUpMode } from "./sign-up/sign-up-mode";
import { tenantsPart } from "./tenants/tenants.part";
import { toolCallsPart } from "./tool-calls/tool-calls.part";
import { usersPart } from "./users/users.part";

export interface IdentityConfig {
  publicUrl: string;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** PUBLIC_URL is a loopback address. */
  isLoopback: boolean;
  /** The default for who may sign up; an operator's setting overrides it. */
  signup: SignUpMode;
  smtpUrl?: string | undefined;
}

/** What only the start of a part uses. */
interface IdentityProcess {
  config: IdentityConfig;
  log: Logger;
  /** By default it is created here. */
  hasher?: Hasher | undefined;
  /** How products find their keys, for the history of requests. */
  findProductKeys: readonly FindKeys[];
}

/** What the process gives to every part of the account system and to its operations. */
interface IdentityBase
  extends Pick<Engines, "db" | "counters" | "clickhouse">,
    Pick<IdentityConfig, "publicUrl" | "currency" | "isLoopback">,
    Pick<AccountCtx, "quotas" | "addressKey" | "jwtKey" | "logInKey">,
    Pick<ActorCtx, "cursorKey"> {
  clock: Clock;
  /** The scopes that at least one operation requires. */
  scopesInUse: ReadonlySet<string>;
  /** Every kind of event, from the account system and the products. */
  eventKinds: readonly EventKind[];
}

/** The parts of the account system, in the order in which they start and in which the reference has their sections. */
export const identityParts = new PartList<IdentityProcess, IdentityBase>()
  .with(sessionTokensPart)
  .with(apiKeysPart)
  .with(projectsPart)
  .with(tenantsPart)
  .with(quotasPart)
  .with(requestCountsPart)
  .with(toolCallsPart)
  .with(auditPart)
  .with(eventsPart)
  .with(outboxPart)
  .with(sessionsPart)
  .with(signUpPart)
  .with(usersPart)
  .with(passwordsPart)
  .with(logInsPart)
  .with(invitationsPart)
  .with(expiredPart);

/** What the process and the parts give to operations. */
export type IdentityParts = Awaited<ReturnType<(typeof identityParts)["start"]>>["ctx"];
