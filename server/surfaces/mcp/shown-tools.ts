import { mayBeTask } from "./tool-pages";
import { allTools } from "./tools";

/** A tool as the documentation lists it. */
export interface ShownTool {
  name: string;
  title: string;
  toolset: string;
  /** The scope that a key needs to see and call it. */
  scope: string;
  isBeyondSpecification: boolean;
  mayBeTask: boolean;
}

export const shownTools: readonly ShownTool[] = allTools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  toolset: tool.toolset,
  scope: tool.access,
  isBeyondSpecification: tool.notation === undefined,
  mayBeTask: mayBeTask(tool),
}));
