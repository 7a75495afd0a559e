import { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import { modeOf } from "../actors/actor";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { type ApiKey, activeAt, ModeName, toApiKey, visibleTo } from "./api-key";

export const ListApiKeys = z.strictObject({
  ...PageQuery.shape,
  project: IdText.optional().describe("Only keys of this project, by its id or name"),
  mode: ModeName.optional().describe("Which mode a person asks for (default test); a key sees its own"),
  state: z.enum(["active", "expired", "revoked"]).optional().describe("Only keys in this state"),
});
type ListApiKeys = z.output<typeof ListApiKeys>;

/** Keys of one mode (a key's own, else the one asked for, else test), revoked ones included, newest first. */
export async function listApiKeys(
  { db, clock, actor, cursorKey }: ActorCtx,
  input: ListApiKeys,
): Promise<Page<ApiKey>> {
  requireScope(actor, "keys:read");
  const mode = modeOf(actor, input.mode);
  const { project, state } = input;
  const filter = JSON.stringify(["api_keys", visibleTo(actor), mode, project ?? null, state ?? null]);
  const asked = { mode, ...inProject(project) };
  return fetchPage({ key: cursorKey, clock, tenantId: actor.tenantId, filter }, input, async ({ after, take }) => {
    const rows = await db.apiKey.findMany({
      where: {
        AND: [visibleTo(actor), asked, inState(state, clock.now()), after === undefined ? {} : { id: { lt: after } }],
      },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(toApiKey);
  });
}

const inProject = (project: string | undefined) =>
  project === undefined ? {} : { project: { OR: [{ id: project }, { name: project }] } };

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
