import type { OperationExample } from "../../operation/operation";
import type { Route } from "../../operation/route";

interface Media {
  example?: unknown;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; schema?: { type?: string }; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

export type OpenApiPaths = Record<string, Record<string, Operation>>;

/** Moves the examples to their places in an OpenAPI document. */
export function addExamples(paths: OpenApiPaths, routes: readonly Route[]): void {
  const examples = new Map(routes.map(({ operation: { id, example } }) => [id, example]));
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const example = examples.get(operation.operationId);
    if (example) addTo(operation, example);
  }
}

/** Query parameters are strings; the document shows each value in its actual type. */
const typed = (schema: { type?: string } | undefined, value: unknown): unknown =>
  schema?.type === "integer" ? Number(value) : value;

function addTo({ parameters = [], requestBody, responses }: Operation, example: OperationExample) {
  const input = example.input as Record<string, unknown>;
  const inBody = { ...input };
  for (const parameter of parameters) {
    if (!(parameter.name in input)) continue;
    parameter.example = typed(parameter.schema, input[parameter.name]);
    delete inBody[parameter.name];
  }
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    const text = example.upload?.[type];
    if (text !== undefined) media.example = text;
    else if (!example.upload) media.example = inBody;
  }
  for (const { content = {} } of Object.values(responses)) {
    const { "application/json": json, "text/csv": csv } = content;
    if (json && example.output !== undefined && !json.example) json.example = example.output;
    if (csv && example.csv !== undefined) csv.example = example.csv;
  }
}
