import { z } from "zod";
import { type Command, command, requireTenant, Tenant } from "./command";
import { listAllTenants } from "./list-all-tenants";
import type { OperatorCtx } from "./operator-ctx";
import { table } from "./table";

/** Commands for tenants, and for what their programs may do. */
export const TENANT_COMMANDS: readonly Command[] = [
  command({
    name: "tenants list",
    usage: "",
    about: "lists every tenant with its owner, and whether it is admitted",
    operands: z.tuple([], "expected no arguments"),
    run: async (ctx) => {
      const json = await listAllTenants(ctx, {});
      const rows = json.map(({ id, name, owner_email: owner, admitted_at: admitted, created_at: created }) => [
        id,
        name,
        owner ?? "",
        admitted ?? "no",
        created,
      ]);
      return { text: table(["ID", "NAME", "OWNER", "ADMITTED", "CREATED"], rows), json };
    },
  }),
  command({
    name: "admit-tenant",
    usage: "<tenant> [--revoke]",
    about:
      "lets pods, functions in pods and workspaces of a tenant start on the machine of svc, which matters unless PUBLIC_URL is loopback; --revoke ends that for starts to come",
    flags: ["revoke"],
    operands: z.tuple([Tenant]),
    run: async (ctx, [id], { flags }) => {
      const isAdmitted = !flags.has("revoke");
      const at = await admitTenant(ctx, { id, isAdmitted });
      const text = isAdmitted
        ? `${id} is admitted: its programs may start on the machine of svc.`
        : `${id} is not admitted: none of its programs starts on the machine of svc any more. Those that run continue.`;
      return { text, json: { tenant_id: id, admitted_at: at?.toISOString() ?? null } };
    },
  }),
];

/** Admits a tenant, or ends that. Returns since when it is admitted. Throws `not_found`. */
async function admitTenant(
  ctx: OperatorCtx,
  { id, isAdmitted }: { id: string; isAdmitted: boolean },
): Promise<Date | null> {
  await requireTenant(ctx, id);
  if (!isAdmitted) await ctx.db.tenant.update({ where: { id }, data: { admittedAt: null } });
  else await ctx.db.tenant.updateMany({ where: { id, admittedAt: null }, data: { admittedAt: ctx.clock.now() } });
  return (await ctx.db.tenant.findUniqueOrThrow({ where: { id } })).admittedAt;
}
