import type { Clock } from "../../../kernel/clock";
import type { Candidate } from "./upstream";
import type { UpstreamFailure } from "./upstream-failure";

/** An upstream may have been updated meanwhile. */
const REMEMBERED_MS = 24 * 3600 * 1000;
const MODELS_MAX = 10_000;
const REFUSED = new Set([400, 422]);

/** Which fields that svc can do without the models of upstreams do not accept, in this process. */
export class RefusedFields {
  readonly #clock: Clock;
  readonly #known = new Map<string, { fields: ReadonlySet<string>; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The fields that a model is known to refuse. */
  of(candidate: Candidate): ReadonlySet<string> {
    const name = nameOf(candidate);
    const known = this.#known.get(name);
    if (known && known.untilMs > this.#clock.now().getTime()) return known.fields;
    this.#known.delete(name);
    return NONE;
  }

  add(candidate: Candidate, field: string): void {
    const fields = new Set([...this.of(candidate), field]);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MODELS_MAX) this.#known.delete(oldest);
    this.#known.set(nameOf(candidate), { fields, untilMs: this.#clock.now().getTime() + REMEMBERED_MS });
  }
}

const NONE: ReadonlySet<string> = new Set();

const nameOf = ({ upstream: { id }, model: { kind, upstreamName } }: Candidate): string =>
  `${id} ${kind} ${upstreamName}`;

/** Whether an upstream refuses a request because of a field: it names it or one of the fields in it. */
export function refuses({ facts: { status = 0, says } }: UpstreamFailure, names: readonly string[]): boolean {
  return REFUSED.has(status) && says !== undefined && names.some(says);
}
