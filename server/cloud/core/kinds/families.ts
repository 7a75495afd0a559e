import { randomBytes } from "node:crypto";
import { ServiceError } from "../../../kernel/errors";
import type { ServiceId } from "../planes/planes";
import { type SpecKeys, specKeysOf } from "../specs/specs";
import type { Family } from "./family";
import type { Kind, PlanStep } from "./kind";

interface AskedKind extends ServiceId {
  /** Absent: the first kind of the service. */
  kind?: string | undefined;
}

interface StoredPlaceholder extends ServiceId {
  kind: string;
  name: string;
}

const KEY_BYTES = 32;

/** The families of this process. */
export class Families {
  readonly #byName = new Map<string, Family>();
  /** Those whose resources are placeholders in every installation, also where another family has taken their place. */
  readonly #planned = new Map<string, Family>();

  /** With which specs are stored and opened. */
  readonly keys: SpecKeys;

  /** `encryptionKey`: of the installation; families that only describe themselves need none. */
  constructor(families: readonly Family[] = [], encryptionKey: Buffer = randomBytes(KEY_BYTES)) {
    this.keys = specKeysOf(encryptionKey);
    this.add(families);
  }

  /**
   * Adds families, before resources of them are looked for. One that is provisioned takes the place of a planned one of its
   * service, of which placeholders may be stored.
   */
  add(families: readonly Family[]): void {
    for (const family of families) {
      const key = keyOf(family);
      if (family.blocker) this.#planned.set(key, family);
      if (!family.blocker || !this.#byName.has(key)) this.#byName.set(key, family);
    }
  }

  list(): Family[] {
    return [...this.#byName.values()];
  }

  find(of: ServiceId): Family | undefined {
    return this.#byName.get(keyOf(of));
  }

  /** The family that a request names. Throws `invalid_request` for a service that the plane does not have. */
  askedFamily(of: ServiceId): Family {
    const found = this.find(of);
    if (!found) throw invalid("service", `${of.plane} has no service ${of.service}; see GET /v1/services.`);
    return found;
  }

  /** The kind that a request names. Throws `invalid_request` for a service or kind without resources. */
  askedKind(asked: AskedKind): { name: string; kind: Kind } {
    const names = Object.keys(this.find(asked)?.kinds ?? {});
    if (names.length === 0)
      throw invalid("service", `${asked.service} of ${asked.plane} has no resources; see GET /v1/resources/kinds.`);
    const name = asked.kind ?? names[0] ?? "";
    if (!names.includes(name))
      throw invalid("kind", `expected ${names.length > 1 ? "one of " : ""}${names.join(", ")}.`);
    return { name, kind: this.kindOf({ ...asked, kind: name }) };
  }

  /** Throws for a resource of a kind that this version of svc does not have. */
  kindOf({ kind, ...of }: ServiceId & { kind: string }): Kind {
    const found = this.find(of)?.kinds[kind] ?? this.#planned.get(keyOf(of))?.kinds[kind];
    if (!found) throw new Error(`There is no kind "${kind}" of ${keyOf(of)}.`);
    return found;
  }

  /**
   * The plan of a placeholder. One of a service that was only planned has no fields, which the kind of the same name that
   * there is now may require: it keeps the plan of then.
   */
  planOf(row: StoredPlaceholder, spec: unknown): PlanStep[] {
    const kind = this.kindOf(row);
    const planned = this.#planned.get(keyOf(row))?.kinds[row.kind];
    const isOfNow = !planned || kind.spec.safeParse(spec).success;
    return (isOfNow ? kind : planned).plan(spec, row.name);
  }
}

const keyOf = ({ plane, service }: ServiceId): string => `${plane}/${service}`;

const invalid = (param: string, text: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${text}`, { param });
