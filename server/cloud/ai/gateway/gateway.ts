import { withNumbers } from "../../../kernel/relayed-json";
import type { Reply } from "../../../operation/reply";
import type { ChatPayer } from "../ledger/chat-ledger";
import { type Admitted, admit } from "./admit";
import type { ChatBody } from "./chat-stages";
import { completeUpstream } from "./complete-upstream";
import { echoCompletion } from "./echo-completion";
import type { EmbeddingAsk } from "./echo-embedding";
import { embed } from "./embed";
import { type ChatOrigin, clientGone, type GatewayParts } from "./gateway-parts";
import { respondFromStore } from "./respond-from-store";
import { streamUpstream } from "./stream-upstream";
import type { ListedModel } from "./upstreams";

/** The models of all upstreams behind OpenAI's API. */
export class ChatGateway {
  readonly #parts: GatewayParts;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /**
   * Answers a conversation; with `stream: true` as server-sent events. Throws `invalid_request`, `not_found`
   * (`model_not_found`), `quota_exceeded` (`budget_exceeded`), `rate_limited`, `unavailable` (`no_upstream`, and
   * reasons that begin with `upstream_`).
   */
  async complete(body: ChatBody, origin: ChatOrigin): Promise<Reply> {
    const parts = this.#parts;
    const admitted = await admit(parts, { endpoint: "chat", body, origin });
    const { call, run, release } = admitted;
    try {
      const reply = await answer(parts, admitted, origin.signal);
      return parts.stages.replies.reduce((changed, stage) => stage.change(call, changed), reply);
    } catch (failure) {
      void run.fail(origin.signal.aborted ? "cancelled" : "failed", failure);
      release();
      throw origin.signal.aborted ? clientGone() : failure;
    }
  }

  /** Returns the vectors of texts. Throws like `complete`. */
  embed(ask: EmbeddingAsk, origin: ChatOrigin): Promise<Reply> {
    return embed(this.#parts, ask, origin);
  }

  /** The models that a caller can use. */
  models(payer: ChatPayer): Promise<ListedModel[]> {
    return this.#parts.upstreams.models(payer);
  }

  /** Closes the connections to upstreams. Requests that still run fail. */
  close(): void {
    this.#parts.connections.close();
  }
}

/** Asks the stages, then svc-echo or the upstreams. */
async function answer(parts: GatewayParts, admitted: Admitted, signal: AbortSignal): Promise<Reply> {
  const { call, choice } = admitted;
  for (const stage of parts.stages.prompts) {
    const stored = await stage.prepare(call);
    if (stored) return respondFromStore(parts, admitted, { ...stored, isCached: true });
  }
  if (choice.isSimulated) {
    return respondFromStore(parts, admitted, {
      completion: await echoCompletion(withNumbers(call.body)),
      isCached: false,
    });
  }
  const asked = { ...admitted, candidates: choice.candidates, signal };
  return await (call.body.stream ? streamUpstream(parts, asked) : completeUpstream(parts, asked));
}
