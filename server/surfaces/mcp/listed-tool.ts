import { type JsonSchema, jsonSchemaOf } from "../../operation/json-schema";
import type { Tool } from "../../operation/tool";
import { briefSchema, isImpliedByName } from "./brief-schema";
import { firstSentences } from "./first-sentences";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
  properties: Record<string, object>;
  /** Always there, as in the manifest of the specification. */
  required: string[];
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  /** Absent if the name or the description says the same. */
  title?: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolHints;
  execution?: { taskSupport: "optional" };
  _meta?: Record<string, unknown>;
}

/** Only those that differ from their default in the protocol, of which two do not apply to tools that only read. */
interface ToolHints {
  readOnlyHint?: true;
  destructiveHint?: false;
  idempotentHint?: true;
  openWorldHint?: false;
}

const SENTENCES_MAX = 2;

/** What a model needs to choose and call a tool; every token of it is in the context of every conversation. */
export function briefTool(tool: Tool): ListedTool {
  const { name, title } = tool;
  const description = firstSentences(tool.description, SENTENCES_MAX);
  const isSaid = isImpliedByName(`${name} ${description}`, title);
  const annotations = hintsOf(tool);
  return {
    name,
    ...(!isSaid && { title }),
    description,
    inputSchema: objectSchema(briefSchema(jsonSchemaOf(tool.arguments, "input"), tool.notes)),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** A tool with everything about it: all sentences, all constraints, and the schema of its result. */
export function fullTool(tool: Tool): ListedTool {
  const { name, title, description, access } = tool;
  const outputSchema = outputSchemaOf(tool);
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(jsonSchemaOf(tool.arguments, "input")),
    ...(outputSchema && { outputSchema }),
    annotations: hintsOf(tool),
    _meta: {
      "svc/scope": access,
      ...(tool.notation === undefined && { "svc/beyond_specification": true }),
    },
  };
}

function objectSchema(schema: JsonSchema): ObjectSchema {
  const { type: _, properties, required, ...rest } = schema as unknown as ObjectSchema;
  return { type: "object", properties, required: required ?? [], ...rest };
}

/** Absent for a tool that may return nothing: a schema promises structured content. */
function outputSchemaOf({ operation }: Tool): JsonSchema | undefined {
  if (operation.mayContinue) return undefined;
  const schema = jsonSchemaOf(operation.output, "output");
  return schema.type === "object" ? schema : undefined;
}

/** Operations that end or delete what exists. */
const DESTRUCTIVE = /^(delete|stop|cancel|purge|revoke|update|put)/;
/** Operations that a repetition does not change further. */
const REPEATABLE = /^(explain|estimate|delete|stop|update|acknowledge)/;
/** Operations that reach systems beyond svc. */
const OPEN_WORLD =
  /^(createChatCompletion|createPod|startPod|execPod|createSandbox|execSandbox|createWorkspace|startWorkspace|execWorkspace)$/;

const hintsOf = ({ isReadOnly, operation: { id } }: Tool): ToolHints => ({
  ...(isReadOnly && { readOnlyHint: true }),
  ...(!isReadOnly && !DESTRUCTIVE.test(id) && { destructiveHint: false }),
  ...(!isReadOnly && REPEATABLE.test(id) && { idempotentHint: true }),
  ...(!OPEN_WORLD.test(id) && { openWorldHint: false }),
});
