import { ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import { scopesAllowing } from "../../operation/authorize";
import type { Tool } from "../../operation/tool";
import { briefTool, fullTool, type ListedTool } from "./listed-tool";
import type { ToolView } from "./tool-view";
import { allTools } from "./tools";

export const TOOLS_PER_PAGE = 100;
/** A tenant can make keys with any set of scopes: the least recently made list is dropped first. */
const LISTS_MAX = 200;
const CURSOR_PREFIX = "cur_";
/** Of tools whose calls can be tasks, in the revision that has them; no other tool can be called as one. */
const TASKS_OPTIONAL = { execution: { taskSupport: "optional" } } as const;

/** The tools in the brief form, of the list and of the manifest. */
export const listedTools: readonly ListedTool[] = allTools.map(briefTool);
const brief = new Map(listedTools.map((tool) => [tool.name, tool]));
const full = new Map<string, ListedTool>();
const lists = new Map<string, readonly ListedTool[]>();

/**
 * The page of the tools of a view that an actor's scopes allow, in a fixed order. Throws `invalid_request` for another
 * cursor.
 */
export function toolPage(
  actor: Actor,
  view: ToolView & { hasTasks?: boolean },
  cursor: string | undefined,
): { tools: readonly ListedTool[]; nextCursor?: string } {
  const tools = toolsFor(actor, view);
  const from = cursor === undefined ? 0 : positionOf(cursor);
  const next = from + TOOLS_PER_PAGE;
  return {
    tools: tools.slice(from, next),
    ...(next < tools.length && { nextCursor: `${CURSOR_PREFIX}${next}` }),
  };
}

/** The tools of a view whose operations the actor may call. */
function toolsFor(actor: Actor, view: ToolView & { hasTasks?: boolean }): readonly ListedTool[] {
  const key = `${[...actor.scopes].sort().join(" ")} ${view.hasTasks === true} ${view.key}`;
  const known = lists.get(key);
  if (known) return known;
  const own = allTools.filter((tool) => mayCall(actor, tool) && isInView(tool, view));
  const made = own.map((tool) => {
    const listed = view.schemas === "full" ? wholeTool(tool) : (brief.get(tool.name) ?? briefTool(tool));
    return view.hasTasks && mayBeTask(tool) ? { ...listed, ...TASKS_OPTIONAL } : listed;
  });
  const oldest = lists.size >= LISTS_MAX ? lists.keys().next().value : undefined;
  if (oldest !== undefined) lists.delete(oldest);
  lists.set(key, made);
  return made;
}

/** Whether the scopes of an actor allow a tool. */
export const mayCall = ({ scopes }: Actor, { access }: Tool): boolean =>
  scopesAllowing(access).some((scope) => (scopes as ReadonlySet<string>).has(scope));

/** Whether calls of a tool can be tasks. */
export const mayBeTask = ({ operation }: Tool): boolean => operation.takesLong === true || operation.cost !== undefined;

/** Whether an address of the endpoint has a tool. */
export const isInView = ({ toolset, isReadOnly }: Tool, view: ToolView): boolean =>
  (view.toolsets?.has(toolset) ?? true) && (isReadOnly || !view.isReadOnly);

/** A tool with its whole schemas; computed once per process. */
export function wholeTool(tool: Tool): ListedTool {
  const known = full.get(tool.name);
  if (known) return known;
  const made = fullTool(tool);
  full.set(tool.name, made);
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
