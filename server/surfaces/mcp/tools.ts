import { adsParts } from "../../ads/ads-parts";
import { cloudParts } from "../../cloud/cloud-parts";
import type { Tool } from "../../operation/tool";

/** Every tool, those of the specification first; the order of lists. */
export const allTools: readonly Tool[] = [...cloudParts.tools, ...adsParts.tools].sort(
  (one, other) =>
    Number(one.notation === undefined) - Number(other.notation === undefined) || (one.name < other.name ? -1 : 1),
);

export const toolByName: ReadonlyMap<string, Tool> = new Map(allTools.map((tool) => [tool.name, tool]));
