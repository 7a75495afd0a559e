import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { findResource } from "../resources/find-resource";

/** Throws `not_found` for a subnet or vpc that the caller does not have. */
export async function checkSubnets(ctx: Pick<ActorCtx, "db" | "actor">, subnets: readonly string[]): Promise<void> {
  for (const [at, rid] of subnets.entries()) {
    try {
      await findResource(ctx, { rid, services: ["net"] });
    } catch (cause) {
      if (!(cause instanceof ServiceError) || cause.code !== "not_found") throw cause;
      const message = `spec.subnets[${at}]: no resource of the service net has the id "${rid}"; see gpuc_net_list.`;
      throw new ServiceError("not_found", message, { param: `spec.subnets[${at}]` });
    }
  }
}
