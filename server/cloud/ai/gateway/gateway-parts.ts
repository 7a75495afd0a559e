import type { Logger } from "pino";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import type { RequestMeta } from "../../../operation/request-meta";
import type { ChatLedger, ChatPayer } from "../ledger/chat-ledger";
import type { ChatStages } from "./chat-stages";
import type { Circuits } from "./circuits";
import type { KeyRedactors } from "./key-redactors";
import type { RefusedFields } from "./refused-fields";
import type { UpstreamConnections } from "./upstream-connections";
import type { Upstreams } from "./upstreams";

export interface GatewayParts {
  ledger: ChatLedger;
  stages: ChatStages;
  upstreams: Upstreams;
  connections: UpstreamConnections;
  circuits: Circuits;
  refusedFields: RefusedFields;
  redactors: KeyRedactors;
  /** Of the names that operators' upstreams get for tenants and their users. */
  pseudonymKey: Buffer;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
}

/** Who asks, and for whose account. */
export interface ChatOrigin {
  actor: Actor;
  request: RequestMeta;
  payer: ChatPayer;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** The error for a client that has gone; nobody receives it. */
export const clientGone = (): ServiceError =>
  new ServiceError("invalid_request", "The client closed the connection.", { details: { reason: "client_closed" } });
