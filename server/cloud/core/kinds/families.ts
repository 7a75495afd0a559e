import { randomBytes } from "node:crypto";
import { ServiceError } from "../../../kernel/errors";
import type { ServiceId } from "../planes/planes";
import { type SpecKeys, specKeysOf } from "../specs/specs";
import type { Family } from "./family";
import type { Kind } from "./kind";

interface AskedKind extends ServiceId {
  /** Absent: the first kind of the service. */
  kind?: string | undefined;
}

const KEY_BYTES = 32;

/** The families of this process. */
export class Families {
  readonly #byName = new Map<string, Family>();

  /** With which specs are stored and opened. */
  readonly keys: SpecKeys;

  /** `encryptionKey`: of the installation; families that only describe themselves need none. */
  constructor(families: readonly Family[] = [], encryptionKey: Buffer = randomBytes(KEY_BYTES)) {
    this.keys = specKeysOf(encryptionKey);
    this.add(families);
  }

  /** Adds families, before resources of them are looked for. */
  add(families: readonly Family[]): void {
    for (const family of families) this.#byName.set(keyOf(family), family);
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
    const found = this.find(of)?.kinds[kind];
    if (!found) throw new Error(`There is no kind "${kind}" of ${keyOf(of)}.`);
    return found;
  }
}

const keyOf = ({ plane, service }: ServiceId): string => `${plane}/${service}`;

const invalid = (param: string, text: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${text}`, { param });
