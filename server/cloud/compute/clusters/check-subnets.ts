import { ServiceError } from "../../../kernel/errors";
import type { AdmitCtx } from "../../core/resources/family";
import { findResource } from "../../core/resources/find-resource";

/** Throws `not_found` for a subnet or vpc that is not of the same project and mode. */
export async function checkSubnets(ctx: AdmitCtx, subnets: readonly string[]): Promise<void> {
  for (const [at, rid] of subnets.entries()) {
    try {
      await findResource(ctx, {
        rid,
        services: [{ plane: "gpuc", service: "net" }],
        right: "checked",
        place: ctx.place,
      });
    } catch (cause) {
      if (!(cause instanceof ServiceError) || cause.code !== "not_found") throw cause;
      const message = `spec.subnets[${at}]: no resource of the service net has the id "${rid}"; see gpuc_net_list.`;
      throw new ServiceError("not_found", message, { param: `spec.subnets[${at}]` });
    }
  }
}
