import { backoffMs } from "../../../kernel/backoff";
import { ServiceError } from "../../../kernel/errors";
import { pause } from "../../../kernel/pause";
import { type AnswerForm, type Circuits, circuitsOf } from "./circuits";
import type { Candidate, Upstream } from "./upstream";
import { clientErrorOf, UpstreamFailure } from "./upstream-failure";

/** Each upstream is asked at most this often for one request, and all of them together at most `TRIES_MAX` times. */
const [ROUNDS_MAX, TRIES_MAX] = [3, 6];
const BACKOFF = { baseMs: 200, maxMs: 2000 };
/** A longer Retry-After ends the tries at an upstream. */
const RETRY_AFTER_MAX_MS = 5000;
export interface Asking<T> {
  circuits: Circuits;
  form: AnswerForm;
  /** In the order in which they are asked. */
  candidates: readonly Candidate[];
  /** Sends the request once and resolves when the answer has begun. Rejects with an UpstreamFailure. */
  ask: (candidate: Candidate) => Promise<T>;
  /** Called before each try. */
  onTry: (candidate: Candidate) => void;
  signal: AbortSignal;
}

/**
 * Asks the upstreams in turn until one has begun to answer: the next one at once after a failure, and all of them again
 * after a pause. Throws the ServiceError for the last failure.
 */
export async function askUpstreams<T>(asking: Asking<T>): Promise<T> {
  const { candidates, signal } = asking;
  const state: State = { open: [...candidates], tries: 0, last: undefined };
  for (let round = 0; round < ROUNDS_MAX && state.open.length > 0; round++) {
    if (round > 0) await pause(waitOf(state, round - 1), signal);
    const answer = await askEach(asking, state);
    if (answer) return answer.value;
    if (state.tries >= TRIES_MAX || state.tries === 0) break;
  }
  if (state.last) throw clientErrorOf(state.last.failure, state.last.upstream);
  throw new ServiceError(
    "unavailable",
    "Every upstream of this model failed repeatedly and is paused; retry shortly.",
    {
      retryAfterSeconds: 1,
      details: { reason: "upstream_paused" },
    },
  );
}

interface State {
  /** Those that can still succeed. */
  open: Candidate[];
  tries: number;
  last: { failure: UpstreamFailure; upstream: Upstream } | undefined;
}

async function askEach<T>(asking: Asking<T>, state: State): Promise<{ value: T } | undefined> {
  for (const candidate of [...state.open]) {
    const circuits = circuitsOf(candidate, asking.form);
    if (state.tries >= TRIES_MAX || !asking.circuits.allow(circuits)) continue;
    state.tries++;
    asking.onTry(candidate);
    try {
      const value = await asking.ask(candidate);
      asking.circuits.record(circuits, undefined);
      return { value };
    } catch (failure) {
      if (asking.signal.aborted || !(failure instanceof UpstreamFailure)) throw failure;
      asking.circuits.record(circuits, failure.fault);
      state.last = { failure, upstream: candidate.upstream };
      if (failure.facts.refusal) throw failure.facts.refusal;
      if (!isWorthWaiting(failure)) state.open = state.open.filter((one) => one !== candidate);
    }
  }
  return undefined;
}

const isWorthWaiting = ({ isPassing, facts: { isLate, retryAfterMs = 0 } }: UpstreamFailure): boolean =>
  // A second wait for a first byte would be as long as the first.
  isPassing && !isLate && retryAfterMs <= RETRY_AFTER_MAX_MS;

const waitOf = ({ last }: State, round: number): number =>
  Math.max(backoffMs(round, BACKOFF), last?.failure.facts.retryAfterMs ?? 0);

/** Orders candidates by priority; those of equal priority at random, in proportion to their weights. */
export function inTurn(candidates: readonly Candidate[], random: () => number): Candidate[] {
  if (candidates.length < 2) return [...candidates];
  // Weighted sampling without replacement (Efraimidis and Spirakis, 2006): the largest random^(1/weight) comes first.
  const keyed = candidates.map((candidate) => ({
    candidate,
    key: Math.log(1 - random()) / candidate.upstream.weight,
  }));
  return keyed
    .sort((a, b) => a.candidate.upstream.priority - b.candidate.upstream.priority || b.key - a.key)
    .map(({ candidate }) => candidate);
}
