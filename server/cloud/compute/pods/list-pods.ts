import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFilter } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { POD_STATUSES } from "../pod-records/pod-states";
import { LAST_RUN } from "../pod-records/stored-pod";
import { Pod, toPod } from "./pod";
import { endedPodExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";

const LABEL = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,62})=([A-Za-z0-9._/ -]{0,255})$/;

/** Lists the pods of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listPods = operation({
  id: "listPods",
  summary: "List pods",
  access: "pods:read",
  input: z.strictObject({
    ...PageQuery.shape,
    status: z.enum(POD_STATUSES).optional().describe("Only pods with this status"),
    label: z
      .string()
      .regex(LABEL, "expected a label such as job=training")
      .optional()
      .describe("Only pods with this label, as `name=value`"),
    ...ownerFilter("pods"),
  }),
  output: pageOf(Pod),
  example: { input: { status: "completed" as const, label: "job=training" }, output: examplePage(endedPodExample) },
  run: (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, input) => {
    const { status, label } = input;
    return pageOfOwner(ctx, { list: "pods", input, filters: { status, label } }, async ({ where, ...page }) => {
      const filters = { ...(status && { status }), ...(label !== undefined && labelFilter(label)) };
      const rows = await ctx.db.pod.findMany({
        where: { ...where, ...filters, kind: "pod", deletedAt: null },
        include: LAST_RUN,
        ...page,
      });
      return rows.map((row) => toPod(row, ctx));
    });
  },
});

function labelFilter(label: string) {
  const [, name = "", value = ""] = LABEL.exec(label) ?? [];
  return { labels: { path: [name], equals: value } };
}
