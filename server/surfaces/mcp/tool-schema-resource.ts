import type { Exchange } from "./exchange";
import type { ListedTool } from "./listed-tool";
import { isInView, mayCall, wholeTool } from "./tool-pages";
import { toolByName } from "./tools";

const URI = /^svc:\/\/tools\/([a-z0-9_]{1,80})\/schema$/;

/** What lists leave out of a tool, as a template of resources: a list of them would be as long as that of tools. */
export const TOOL_SCHEMA = {
  uriTemplate: "svc://tools/{name}/schema",
  name: "tool-schema",
  title: "All constraints of a tool's arguments, and the schema of its result",
  mimeType: "application/json",
} as const;

/** The tool whose schema a URI names; undefined for another URI, and for a tool that the key does not see there. */
export function toolSchemaAt(uri: string, { caller: { actor }, view }: Exchange): ListedTool | undefined {
  const tool = toolByName.get(URI.exec(uri)?.[1] ?? "");
  return tool && isInView(tool, view) && mayCall(actor, tool) ? wholeTool(tool) : undefined;
}
