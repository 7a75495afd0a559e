import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { findProject } from "../../identity/projects/find-project";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { LAST_RUN, Pod, toPod } from "./pod";
import { endedPodExample } from "./pod.example";
import { placeFields } from "./pod-fields";
import { POD_STATUSES } from "./pod-states";

const LABEL = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,62})=([A-Za-z0-9._/ -]{0,255})$/;

export const ListPods = z.strictObject({
  ...PageQuery.shape,
  status: z.enum(POD_STATUSES).optional().describe("Only pods with this status"),
  label: z
    .string()
    .regex(LABEL, "expected a label such as job=training")
    .optional()
    .describe("Only pods with this label, as `name=value`"),
  mode: placeFields.mode,
  project: placeFields.project.describe("Only pods of this project, by its id or name"),
});

/** Lists the pods of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listPods = operation({
  id: "listPods",
  summary: "List pods",
  access: "pods:read",
  cost: "cheap",
  input: ListPods,
  output: pageOf(Pod),
  example: { input: { status: "completed" as const, label: "job=training" }, output: examplePage(endedPodExample) },
  run: async (ctx: CloudCtx, input) => {
    const { db, actor } = ctx;
    const { status, label } = input;
    const mode = modeOf(actor, input.mode);
    const isOfOne = actor.kind === "key" || input.project !== undefined;
    const projectId = isOfOne ? (await findProject(db, actor, input.project)).id : undefined;
    return fetchPage(listScope(ctx, "pods", { mode, projectId, status, label }), input, async ({ after, take }) => {
      const rows = await db.pod.findMany({
        where: {
          ...{ tenantId: actor.tenantId, mode, deletedAt: null },
          ...(projectId !== undefined && { projectId }),
          ...(status && { status }),
          ...(label !== undefined && labelFilter(label)),
          ...(after !== undefined && { id: { lt: after } }),
        },
        ...{ include: LAST_RUN, orderBy: { id: "desc" }, take },
      });
      return rows.map((row) => toPod(row, ctx));
    });
  },
});

function labelFilter(label: string) {
  const [, name = "", value = ""] = LABEL.exec(label) ?? [];
  return { labels: { path: [name], equals: value } };
}
