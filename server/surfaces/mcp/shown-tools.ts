import { allTools } from "./tools";

/** A tool as the documentation lists it. */
export interface ShownTool {
  name: string;
  title: string;
  toolset: string;
  /** The scope that a key needs to see and call it. */
  scope: string;
  isBeyondSpecification: boolean;
}

export const shownTools: readonly ShownTool[] = allTools.map(({ name, title, toolset, access, notation }) => ({
  name,
  title,
  toolset,
  scope: access,
  isBeyondSpecification: notation === undefined,
}));
