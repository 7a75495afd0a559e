import { z } from "zod";
import type { PodStatus } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFilter } from "../../../identity/owner-fields";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { pageOfKind } from "../inside/page-of-kind";
import type { PodsCtx } from "../pods/pods-ctx";
import { SANDBOX_STATUSES, Sandbox, type SandboxStatus, toSandbox } from "./sandbox";
import { sandboxExample } from "./sandbox.example";

const STORED: Readonly<Record<SandboxStatus, PodStatus[]>> = {
  starting: ["pending"],
  running: ["ready", "reclaiming"],
  ended: ["stopping", "stopped", "completed", "failed"],
};

/** Lists the sandboxes of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listSandboxes = operation({
  id: "listSandboxes",
  summary: "List sandboxes",
  description:
    "Without the output of their commands. Sandboxes that have ended stay in the list until they are deleted.",
  access: "sandboxes:read",
  input: z.strictObject({
    ...PageQuery.shape,
    status: z.enum(SANDBOX_STATUSES).optional().describe("Only sandboxes with this status"),
    ...ownerFilter("sandboxes"),
  }),
  output: pageOf(Sandbox),
  example: { input: { status: "running" as const }, output: examplePage(sandboxExample) },
  run: (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, input) => {
    const statuses = input.status && STORED[input.status];
    return pageOfKind(ctx, { ...input, kind: "sandbox", list: "sandboxes", statuses }, async (pods) => {
      const ids = pods.map(({ id }) => id);
      const rows = await ctx.db.sandbox.findMany({ where: { id: { in: ids } }, omit: { output: true } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return pods.flatMap((pod) => {
        const row = byId.get(pod.id);
        return row ? [toSandbox({ pod, row }, ctx)] : [];
      });
    });
  },
});
