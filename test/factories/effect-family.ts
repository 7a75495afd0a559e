import { z } from "zod";
import type { Family } from "../../server/cloud/core/kinds/family";
import type { Kind, Observation } from "../../server/cloud/core/kinds/kind";
import type { ServiceId } from "../../server/cloud/core/planes/planes";
import { ref, refersTo } from "../../server/cloud/core/references/reference-fields";
import { sealed } from "../../server/cloud/core/specs/sealed-fields";
import { ServiceError } from "../../server/kernel/errors";

interface Effect {
  name: string;
  size: number;
  /** How often it was made: more than once would be a double effect. */
  times: number;
}

const Spec = z.strictObject({
  size: z.int().min(1).default(1),
  label: sealed(z.string().default("")),
  /** Effects that it needs. */
  uses: z.array(ref("observe", "effect")).optional(),
  /** The effect that it belongs to. */
  part_of: ref({ service: "observe" }, { onDelete: "cascade", allowsPlaceholder: true }).optional(),
  /** Something that may be an effect, or a part of one. */
  beside: z
    .string()
    .meta(refersTo([{ service: "observe" }], { onDelete: "none", hasParts: true, allowsOthers: true }))
    .optional(),
});
type Spec = z.output<typeof Spec>;

/** Effects in memory, which tests can break, slow down and look at. They stand for what is outside of svc. */
export class Effects {
  readonly byRid = new Map<string, Effect>();
  /** The labels that effects received, which are sealed in specs. */
  readonly labels = new Map<string, string>();
  /** Called before each change; may throw or wait. */
  before: (what: "provision" | "suspend" | "remove", rid: string, signal: AbortSignal) => Promise<void> | void = () =>
    undefined;
  /** Called before each effect is looked at; may wait. */
  look: (rid: string) => Promise<void> | void = () => undefined;
  /** Called after each change, before its result is known to svc. */
  after: (rid: string) => Promise<void> | void = () => undefined;
  looks = 0;
  /** Effects that exist and do not work. */
  readonly faulty = new Set<string>();

  /** A family whose kinds have these effects: one that can drift, one of results, and one that is looked at each hour. */
  family({ plane, service }: ServiceId = { plane: "gpuc", service: "observe" }): Family {
    const texts = { label: "Effects", summary: "Effects in memory." };
    const kind = this.#kind();
    const kinds = { effect: kind, result: { ...kind, settled: true as const }, rare: { ...kind, driftSeconds: 3600 } };
    return { plane, service, ...texts, meters: [], skus: [], kinds };
  }

  #kind(): Kind<Spec> {
    return {
      spec: Spec,
      plan: ({ size }, name) => [{ step: "make", what: `${name} of ${size}`, proof: "It is in memory" }],
      asksPrograms: true,
      provision: async ({ rid, name, spec: { size, label } }, signal) => {
        this.labels.set(rid, label);
        await this.before("provision", rid, signal);
        const { times = 0 } = this.byRid.get(rid) ?? {};
        // As a name that derives from the id of the resource: what exists is not made again.
        this.byRid.set(rid, { name, size, times: times || 1 });
        await this.after(rid);
        return this.#seen(rid);
      },
      observe: async (all) => {
        this.looks++;
        for (const { rid } of all) await this.look(rid);
        return new Map(all.map(({ rid }) => [rid, this.#seen(rid)]));
      },
      remove: async ({ rid }, signal) => {
        await this.before("remove", rid, signal);
        this.byRid.delete(rid);
        await this.after(rid);
        return true;
      },
      suspend: async ({ rid }, signal) => {
        await this.before("suspend", rid, signal);
        this.byRid.delete(rid);
        return true;
      },
    };
  }

  #seen(rid: string): Observation {
    const found = this.byRid.get(rid);
    if (found && this.faulty.has(rid))
      return { is: "faulty", observed: { size: found.size }, message: "It is broken." };
    return found ? { is: "present", observed: { size: found.size } } : { is: "absent" };
  }
}

export const unavailableEffect = (): ServiceError =>
  new ServiceError("unavailable", "The effect cannot be made now.", { details: { reason: "no_effect" } });
