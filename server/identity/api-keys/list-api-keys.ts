import { z } from "zod";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { activeAt } from "../active-keys";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { listScope } from "../list-scope";
import { projectsCalled } from "../projects-called";
import { IdText, ModeName } from "../wire-text";
import { ApiKey, toApiKey, visibleTo } from "./api-key";
import { apiKeyExample } from "./api-key.example";

export const ListApiKeys = z.strictObject({
  ...PageQuery.shape,
  project: IdText.optional().describe("Only keys of this project, by its id or name"),
  mode: ModeName.optional().describe("The mode to list, for people (default: test); a key always lists its own mode"),
  state: z.enum(["active", "expired", "revoked"]).optional().describe("Only keys in this state"),
});
type ListApiKeys = z.output<typeof ListApiKeys>;

/**
 * Lists the keys of one mode (a key's own, otherwise the requested one, otherwise test), newest first, with revoked
 * ones. Throws `not_found` for the project.
 */
export const listApiKeys = operation({
  id: "listKeys",
  summary: "List API keys",
  access: "keys:read",
  input: ListApiKeys,
  output: pageOf(ApiKey),
  example: { input: { limit: 50, state: "active" }, output: examplePage(apiKeyExample) },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    const { project, state } = input;
    const visible = JSON.stringify(visibleTo(actor));
    const projects = await projectsCalled(ctx, project);
    const asked = { mode, ...(projects && { projectId: { in: projects } }) };
    return fetchPage(listScope(ctx, "api_keys", { visible, mode, project, state }), input, async ({ after, take }) => {
      const rows = await db.apiKey.findMany({
        where: {
          AND: [visibleTo(actor), asked, inState(state, clock.now()), after === undefined ? {} : { id: { lt: after } }],
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toApiKey);
    });
  },
});

function inState(state: ListApiKeys["state"], now: Date) {
  switch (state) {
    case "active":
      return activeAt(now);
    case "expired":
      return { revokedAt: null, expiresAt: { lte: now } };
    case "revoked":
      return { revokedAt: { not: null } };
    case undefined:
      return {};
  }
}
