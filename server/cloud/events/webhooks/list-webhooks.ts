import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { projectsCalled } from "../../../identity/projects-called";
import { IdText, ModeName } from "../../../identity/wire-text";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { modeOf } from "../../../operation/actor";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { toWebhook, visibleTo, Webhook } from "./webhook";
import { webhookExample } from "./webhook.example";

/** Lists the webhooks of one mode, newest first; a key sees those of its own project. Throws `not_found` for the project. */
export const listWebhooks = operation({
  id: "listWebhooks",
  summary: "List webhooks",
  access: "webhooks:read",
  input: z.strictObject({
    ...PageQuery.shape,
    project: IdText.optional().describe("Only webhooks of this project, by its id or name"),
    mode: ModeName.optional().describe("The mode to list, for people (default: test); a key always lists its own mode"),
    status: z.enum(["enabled", "disabled"]).optional(),
  }),
  output: pageOf(Webhook),
  example: { input: { limit: 50 }, output: examplePage(webhookExample) },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    const { project, status } = input;
    const visible = JSON.stringify(visibleTo(actor));
    const projects = await projectsCalled(ctx, project);
    return fetchPage(listScope(ctx, "webhooks", { visible, mode, project, status }), input, async ({ after, take }) => {
      const rows = await db.webhook.findMany({
        where: {
          AND: [
            { ...visibleTo(actor), mode },
            projects ? { projectId: { in: projects } } : {},
            status ? { status } : {},
            after === undefined ? {} : { id: { lt: after } },
          ],
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map((row) => toWebhook(row, clock.now()));
    });
  },
});
