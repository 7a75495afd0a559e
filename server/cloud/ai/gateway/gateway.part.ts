import type { Logger } from "pino";
import type { AddressPolicy } from "../../../engines/address-policy";
import type { Network } from "../../../engines/guarded-fetch";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { deriveSubkey } from "../../../kernel/secrets";
import type { ChatLedger, ChatPayer } from "../ledger/chat-ledger";
import type { PromptStage, ReplyStage, ResponseStage } from "./chat-stages";
import { createGateway } from "./create-gateway";
import type { ChatGateway } from "./gateway";
import { gatewayRoutes } from "./gateway.routes";
import { gatewayTools } from "./gateway.tools";
import type { OperatorUpstream, Upstream } from "./upstream";

type UpstreamsOf = (payer: ChatPayer) => Promise<readonly Upstream[]> | readonly Upstream[];

interface Needs {
  clock: Clock;
  log: Logger;
  encryptionKey: Buffer;
  urlPolicy: AddressPolicy;
  /** How chat upstreams of tenants are reached; by default over the public network. */
  chatNetwork?: Network | undefined;
  chatLedger: ChatLedger;
  ownUpstreams: { of: UpstreamsOf };
  inferenceServing: { upstreamsOf: UpstreamsOf };
  offerStages: { prompt: PromptStage; answer: ResponseStage; reply: ReplyStage };
  cacheStages: { prompt: PromptStage; answer: ResponseStage };
  config: {
    /** Those of the operators' file. */
    chatUpstreams: readonly OperatorUpstream[];
  };
}

/** The models of all upstreams. */
export const gatewayPart: Part<Needs, { gateway: ChatGateway }, typeof gatewayRoutes> = {
  name: "chat gateway",
  routes: [gatewayRoutes],
  tools: gatewayTools,
  start: (needs) => {
    const { ownUpstreams, inferenceServing, offerStages: offers, cacheStages: cache } = needs;
    const gateway = createGateway({
      clock: needs.clock,
      log: needs.log,
      policy: needs.urlPolicy,
      network: needs.chatNetwork,
      ledger: needs.chatLedger,
      operators: needs.config.chatUpstreams,
      ownOf: async (payer) => (await Promise.all([ownUpstreams.of(payer), inferenceServing.upstreamsOf(payer)])).flat(),
      pseudonymKey: deriveSubkey(needs.encryptionKey, "chat pseudonyms"),
      stages: {
        prompts: [offers.prompt, cache.prompt],
        answers: [offers.answer, cache.answer],
        replies: [offers.reply],
      },
    });
    return { gives: { gateway }, stop: () => gateway.close() };
  },
};
