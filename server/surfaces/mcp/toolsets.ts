import { allTools } from "./tools";

/** The names of all toolsets. */
export const TOOLSETS: readonly string[] = [...new Set(allTools.map(({ toolset }) => toolset))].sort();
