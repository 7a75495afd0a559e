import { adsTools } from "../../ads/ads-tools";
import { cloudTools } from "../../cloud/cloud-tools";
import type { Tool } from "../../operation/tool";

/** Every tool, those of the specification first; the order of lists. */
export const allTools: readonly Tool[] = [...cloudTools, ...adsTools].sort(
  (one, other) =>
    Number(one.notation === undefined) - Number(other.notation === undefined) || (one.name < other.name ? -1 : 1),
);

export const toolByName: ReadonlyMap<string, Tool> = new Map(allTools.map((tool) => [tool.name, tool]));
