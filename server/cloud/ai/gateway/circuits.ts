import { Circuit } from "../../../engines/embeddings/circuit";
import type { Clock } from "../../../kernel/clock";
import type { Candidate } from "./upstream";
import type { Fault } from "./upstream-failure";

const CIRCUITS_MAX = 10_000;

/** How an answer is asked for: a model can fail at one and not at the other. */
export type AnswerForm = "whole" | "stream";

/** The names of the circuits that a request depends on, by what can be at fault. */
export type CircuitNames = Readonly<Record<Fault, string>>;

/** One model that fails says nothing about the other models of its upstream, but all need a connection to it. */
export function circuitsOf(
  { upstream: { id }, model: { kind, upstreamName } }: Candidate,
  form: AnswerForm,
): CircuitNames {
  const model = `${id} ${kind} ${upstreamName}`;
  return { upstream: id, model, form: `${model} ${form}` };
}

/** From the narrow to the wide: what has failed was reached through those behind it, which therefore work. */
const FAULTS: readonly Fault[] = ["form", "model", "upstream"];

/** The circuits of upstreams, of their models and of the forms of their answers, in this process. */
export class Circuits {
  readonly #clock: Clock;
  /** Those with failures since the last success. */
  readonly #failing = new Map<string, Circuit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a request may be sent now; at the end of a pause, others wait for the result of the first one. */
  allow(names: CircuitNames): boolean {
    const failing = FAULTS.flatMap((fault) => this.#failing.get(names[fault]) ?? []);
    if (failing.some(({ isPausing }) => isPausing)) return false;
    return failing.every((circuit) => circuit.allows());
  }

  /** Records the result of a request: what was at fault, or undefined for a success. */
  record(names: CircuitNames, fault: Fault | undefined): void {
    for (const works of FAULTS.slice(fault === undefined ? 0 : FAULTS.indexOf(fault) + 1)) {
      this.#failing.delete(names[works]);
    }
    if (fault !== undefined) this.#circuit(names[fault]).failed();
  }

  #circuit(name: string): Circuit {
    const known = this.#failing.get(name);
    if (known) return known;
    const [oldest] = this.#failing.keys();
    if (oldest !== undefined && this.#failing.size >= CIRCUITS_MAX) this.#failing.delete(oldest);
    const circuit = new Circuit(this.#clock);
    this.#failing.set(name, circuit);
    return circuit;
  }
}
