import { ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import { type ListedTool, listedTool } from "./listed-tool";
import { allTools } from "./tools";

export const TOOLS_PER_PAGE = 100;
/** A tenant can make keys with any set of scopes: the least recently made list is dropped first. */
const LISTS_MAX = 200;
const CURSOR_PREFIX = "cur_";

export const listedTools: readonly ListedTool[] = allTools.map(listedTool);
const lists = new Map<string, readonly ListedTool[]>();

/** The page of the tools that an actor's scopes allow, in a fixed order. Throws `invalid_request` for another cursor. */
export function toolPage(
  actor: Actor,
  cursor: string | undefined,
): { tools: readonly ListedTool[]; nextCursor?: string } {
  const tools = toolsFor(actor);
  const from = cursor === undefined ? 0 : positionOf(cursor);
  const next = from + TOOLS_PER_PAGE;
  return {
    tools: tools.slice(from, next),
    ...(next < tools.length && { nextCursor: `${CURSOR_PREFIX}${next}` }),
  };
}

/** The tools whose operations the actor may call. */
export function toolsFor({ scopes }: Actor): readonly ListedTool[] {
  const key = [...scopes].sort().join(" ");
  const known = lists.get(key);
  if (known) return known;
  const made = listedTools.filter((_, at) => (scopes as ReadonlySet<string>).has(allTools[at]?.operation.access ?? ""));
  const oldest = lists.size >= LISTS_MAX ? lists.keys().next().value : undefined;
  if (oldest !== undefined) lists.delete(oldest);
  lists.set(key, made);
  return made;
}

function positionOf(cursor: string): number {
  const at = /^cur_(\d{1,4})$/.exec(cursor)?.[1];
  if (at !== undefined && Number(at) % TOOLS_PER_PAGE === 0 && Number(at) < allTools.length) return Number(at);
  throw new ServiceError(
    "invalid_request",
    "cursor: expected a nextCursor of an earlier page; list again without it.",
    {
      param: "cursor",
    },
  );
}
