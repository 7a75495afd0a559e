import type { Logger } from "pino";
import type { AddressPolicy } from "../../../engines/address-policy";
import type { Network } from "../../../engines/guarded-fetch";
import type { Clock } from "../../../kernel/clock";
import type { ChatLedger } from "../ledger/chat-ledger";
import type { ChatStages } from "./chat-stages";
import { Circuits } from "./circuits";
import { ChatGateway } from "./gateway";
import { KeyRedactors } from "./key-redactors";
import { RefusedFields } from "./refused-fields";
import { firstGuards } from "./stages";
import type { OperatorUpstream, Upstream } from "./upstream";
import { UpstreamConnections } from "./upstream-connections";
import { Upstreams, type UpstreamsParts } from "./upstreams";

export interface CreateGateway {
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
  ledger: ChatLedger;
  /** Which addresses tenants' upstreams may have. */
  policy: AddressPolicy;
  network?: Network | undefined;
  operators: readonly OperatorUpstream[];
  /** A tenant's own upstreams. */
  ownOf: UpstreamsParts["ownOf"];
  /** Of the names that operators' upstreams get for tenants and their users; the same in all processes. */
  pseudonymKey: Buffer;
  /** Stages in addition to the first guards. */
  stages?: Partial<ChatStages>;
}

export function createGateway(options: CreateGateway): ChatGateway {
  const { clock, log, ledger, policy, network, ownOf, pseudonymKey, stages = {} } = options;
  const operators = options.operators.map(({ apiKey, ...one }): Upstream => ({ ...one, key: () => apiKey }));
  const { guards = [], prompts = [], answers = [], replies = [] } = stages;
  return new ChatGateway({
    ledger,
    clock,
    log,
    pseudonymKey,
    stages: { guards: [...firstGuards(), ...guards], prompts, answers, replies },
    upstreams: new Upstreams({ operators, ownOf, random: Math.random }),
    connections: new UpstreamConnections({ policy, ...(network && { network }) }),
    circuits: new Circuits(clock),
    refusedFields: new RefusedFields(clock),
    redactors: new KeyRedactors(),
  });
}
