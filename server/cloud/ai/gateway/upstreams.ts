import { ServiceError } from "../../../kernel/errors";
import type { ChatPayer } from "../ledger/chat-ledger";
import { inTurn } from "./ask-upstreams";
import { ECHO_MODEL } from "./echo-completion";
import { ECHO_EMBEDDING_MODEL } from "./echo-embedding";
import { type Candidate, type ModelKind, modelOf, type Upstream } from "./upstream";

/** Who answers a request for a model. */
export type Choice = { isSimulated: false; candidates: Candidate[] } | { isSimulated: true };

export interface UpstreamsParts {
  /** Those of the operators' file. */
  operators: readonly Upstream[];
  /** Those that a tenant has configured for a project and mode. */
  ownOf: (payer: ChatPayer) => Promise<readonly Upstream[]> | readonly Upstream[];
  random: () => number;
}

/** A model as `GET /v1/models` lists it. */
export interface ListedModel {
  name: string;
  kind: ModelKind;
  owner: Upstream["owner"] | "svc";
}

/** All upstreams, and which of them a request may use. */
export class Upstreams {
  readonly #parts: UpstreamsParts;

  constructor(parts: UpstreamsParts) {
    this.#parts = parts;
  }

  /**
   * The upstreams for a model in the order in which they are asked: the tenant's own, then the operators'. In test mode
   * the operators' models are simulated. Throws `unavailable` (reason `no_upstream`) where none is configured, and
   * `not_found` (`model_not_found`).
   */
  async choose(payer: ChatPayer, name: string, kind: ModelKind): Promise<Choice> {
    const own = await this.#parts.ownOf(payer);
    const found = candidatesOf(own, name, kind);
    const { operators, random } = this.#parts;
    if (payer.mode === "test") {
      if (found.length > 0) return { isSimulated: false, candidates: inTurn(found, random) };
      if (isSimulated(name, kind) || candidatesOf(operators, name, kind).length > 0) return { isSimulated: true };
      throw noSuchModel(name, kind);
    }
    const candidates = [...inTurn(found, random), ...inTurn(candidatesOf(operators, name, kind), random)];
    if (candidates.length > 0) return { isSimulated: false, candidates };
    if (own.length === 0 && operators.length === 0) throw noUpstream();
    throw noSuchModel(name, kind);
  }

  /** The models that a caller can use, each name and kind once, in alphabetical order. */
  async models(payer: ChatPayer): Promise<ListedModel[]> {
    const { ownOf, operators } = this.#parts;
    const simulated: ListedModel[] = [
      { name: ECHO_MODEL, kind: "chat", owner: "svc" },
      { name: ECHO_EMBEDDING_MODEL, kind: "embeddings", owner: "svc" },
    ];
    const listed = [...(await ownOf(payer)), ...operators].flatMap(({ models, owner }) =>
      models.map(({ name, kind }): ListedModel => ({ name, kind, owner })),
    );
    const all = [...listed, ...(payer.mode === "test" ? simulated : [])];
    const first = new Map(all.toReversed().map((model) => [`${model.kind} ${model.name}`, model]));
    return [...first.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

const candidatesOf = (upstreams: readonly Upstream[], name: string, kind: ModelKind): Candidate[] =>
  upstreams.flatMap((upstream) => {
    const model = modelOf(upstream, name, kind);
    return model ? [{ upstream, model }] : [];
  });

const isSimulated = (name: string, kind: ModelKind): boolean =>
  name === ECHO_MODEL || (kind === "embeddings" && name === ECHO_EMBEDDING_MODEL);

export const noSuchModel = (name: string, kind?: ModelKind): ServiceError =>
  new ServiceError(
    "not_found",
    `There is no ${kind ? `${kind} ` : ""}model "${name.slice(0, 80)}" for this key; GET /v1/models lists those that it can use.`,
    { param: "model", details: { reason: "model_not_found" } },
  );

const noUpstream = (): ServiceError =>
  new ServiceError(
    "unavailable",
    `No upstream is configured for live mode: add one with POST /v1/gateway/upstreams, or use a test key and the model ${ECHO_MODEL}.`,
    { details: { reason: "no_upstream" } },
  );
