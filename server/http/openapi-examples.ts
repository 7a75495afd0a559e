import type { Examples, OperationExample } from "./openapi-example";
import { accountExamples } from "./openapi-examples-account";
import { adsExamples } from "./openapi-examples-ads";
import { offersExamples } from "./openapi-examples-offers";

/** One example an operation, by operationId. */
export const examples: Examples = { ...offersExamples, ...adsExamples, ...accountExamples };

interface Media {
  example?: unknown;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

export type OpenApiPaths = Record<string, Record<string, Operation>>;

/** Puts the examples where OpenAPI wants them. */
export function addExamples(paths: OpenApiPaths): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    addTo(operation, examples[operation.operationId] ?? {});
  }
}

function addTo({ parameters = [], requestBody, responses }: Operation, { input = {}, ...example }: OperationExample) {
  const inBody = { ...input };
  for (const parameter of parameters) {
    if (!(parameter.name in input)) continue;
    parameter.example = input[parameter.name];
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
