import type { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import { modeOf } from "../actors/actor";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { type ApiKey, ModeName, toApiKey, visibleTo } from "./api-key";

export const ListApiKeys = PageQuery.extend({ project_id: IdText.optional(), mode: ModeName.optional() });

/** Keys of one mode (a key's own, else the one asked for, else test), revoked ones included, newest first. */
export async function listApiKeys(
  { db, clock, actor, cursorKey }: ActorCtx,
  input: z.output<typeof ListApiKeys>,
): Promise<Page<ApiKey>> {
  requireScope(actor, "keys:read");
  const mode = modeOf(actor, input.mode);
  const { project_id: projectId } = input;
  const filter = JSON.stringify(["api_keys", mode, projectId ?? null, actor.kind === "key" ? actor.projectId : null]);
  return fetchPage({ key: cursorKey, clock, tenantId: actor.tenantId, filter }, input, async ({ after, take }) => {
    const asked = { mode, ...(projectId === undefined ? {} : { projectId }) };
    const rows = await db.apiKey.findMany({
      where: { AND: [visibleTo(actor), asked, after === undefined ? {} : { id: { lt: after } }] },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(toApiKey);
  });
}
