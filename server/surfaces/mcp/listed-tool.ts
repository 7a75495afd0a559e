import { z } from "zod";
import type { Tool } from "../../operation/tool";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
  properties: Record<string, object>;
  required?: string[];
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  _meta: Record<string, unknown>;
}

/** What the list may say about one tool, so that all of them fit into a model's context. */
const DESCRIPTION_CHARACTERS_MAX = 700;
/** Operations that end or delete what exists. */
const DESTRUCTIVE = /^(delete|stop|cancel|purge|revoke|update|put)/;
/** Operations that a repetition does not change further. */
const REPEATABLE = /^(list|get|explain|estimate|delete|stop|update|acknowledge)/;
/** Operations that reach systems beyond svc. */
const OPEN_WORLD =
  /^(createChatCompletion|createPod|startPod|execPod|createSandbox|execSandbox|createWorkspace|startWorkspace|execWorkspace)$/;

/** The form of a tool in lists; computed once at the start. */
export function listedTool(tool: Tool): ListedTool {
  const { name, title, operation, isReadOnly } = tool;
  const output = schemaOf(operation.output, "output");
  return {
    ...{ name, title, description: shortened(tool.description) },
    inputSchema: { ...schemaOf(tool.arguments, "input") } as ObjectSchema,
    ...(output.type === "object" && { outputSchema: output as ObjectSchema }),
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly && DESTRUCTIVE.test(operation.id),
      idempotentHint: isReadOnly || REPEATABLE.test(operation.id),
      openWorldHint: OPEN_WORLD.test(operation.id),
    },
    _meta: {
      "svc/scope": operation.access,
      ...(tool.notation === undefined && { "svc/beyond_specification": true }),
    },
  };
}

/** Without `$schema` and ids of shared schemas, which every tool would repeat. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const {
    $schema: _,
    id: _id,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => void delete jsonSchema.id,
  }) as Record<string, unknown>;
  return rest;
}

/** Whole sentences, as many as fit. */
function shortened(text: string): string {
  if (text.length <= DESCRIPTION_CHARACTERS_MAX) return text;
  const cut = text.slice(0, DESCRIPTION_CHARACTERS_MAX);
  const end = cut.lastIndexOf(". ");
  return end > 0 ? cut.slice(0, end + 1) : cut;
}
