import type { Row } from "./row";
import { lineOf, type Schema, typeOf } from "./schema-text";
import { commandsText } from "./sdk-commands";
import { credentialOf, isUpload, type OpenApi, type Operation, operationsOf, scopeOf } from "./sdk-operations";

export interface SdkSource {
  /** How to call each operation. */
  operations: string;
  /** What each operation takes and gives, and the client's methods. */
  types: string;
  /** What the command line says and checks. */
  commands: string;
}

const HEAD = "// Written from the routes of svc by server/build/generate-sdk.mjs; the next build overwrites changes.\n";

/** The three generated files of `sdk/generated`, from the rows of both APIs and the documents made from them. */
export function sdkSource(rows: readonly Row[], documents: readonly OpenApi[]): SdkSource {
  const operations = operationsOf(rows, documents);
  const schemas = Object.assign({}, ...documents.map(({ components }) => components.schemas));
  return {
    operations: HEAD + operationsText(operations),
    types: HEAD + typesText(operations, schemas),
    commands: HEAD + commandsText(operations, schemas),
  };
}

/** Not a GET, PATCH or DELETE, and yet the same however often it arrives. */
const REPEATABLE = new Set([
  "explainOffers",
  "reportConversion",
  "reportImpressions",
  "revokeKey",
  "revokeChannelKey",
  "restoreAdvertiser",
  "restoreCampaign",
  "restoreChannel",
  "restoreCreative",
  "restoreProduct",
  "restoreProject",
  "logOut",
  "acknowledgeMessages",
  "extendMessages",
  "stopPod",
  "reclaimPod",
]);

/** Whether sending a request again, after its response was lost, has the same effect. */
const isRepeatable = ({ id, method, isSafe }: Row): boolean =>
  REPEATABLE.has(id) || isSafe || (method !== "GET" && method !== "POST");

function operationsText(operations: readonly Operation[]): string {
  const lines = operations.map(({ id, noun, verb, row, fields, item, hasCsv }) => {
    const query = fields.filter((field) => field.in === "query").map(({ name }) => name);
    const facts = {
      noun,
      verb,
      method: row.method,
      path: row.path,
      credential: credentialOf(row),
      ...(query.length > 0 ? { query } : {}),
      ...(fields.some((field) => field.in === "body") ? { body: true } : {}),
      ...("idempotent" in row && row.idempotent ? { idempotent: true } : {}),
      ...(isRepeatable(row) ? { repeatable: true } : {}),
      ...(item ? { paged: true } : {}),
      ...(isUpload(row) ? { upload: true } : {}),
      ...(hasCsv ? { csv: true } : {}),
    };
    return `  ${id}: ${JSON.stringify(facts)},`;
  });
  return `import type { Operation } from "../operation";

export const OPERATIONS = {
${lines.join("\n")}
} as const satisfies Record<string, Operation>;
`;
}

function typesText(operations: readonly Operation[], schemas: Record<string, Schema>): string {
  const named = Object.entries(schemas)
    .filter(([name]) => name !== "Error")
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`);
  const inputs = operations.filter(takesInput).map((one) => `export interface ${inputName(one)} ${inputText(one)}\n`);
  const outputs = operations.filter(({ output }) => output && !("$ref" in output));
  const texts = outputs.map((one) =>
    one.item
      ? "$ref" in one.item
        ? ""
        : `export type ${itemName(one)} = ${typeOf(one.item)};\n`
      : `export type ${pascal(one.id)}Output = ${typeOf(one.output ?? {})};\n`,
  );
  const nouns = [...new Set(operations.map(({ noun }) => noun))];
  const groups = nouns.map(
    (noun) =>
      `  ${noun}: {\n${operations
        .filter((one) => one.noun === noun)
        .map(methodText)
        .join("")}  };\n`,
  );
  return `import type { CallOptions, FeedBody, Pages } from "../operation";

${[...named, ...inputs, ...texts].filter((text) => text !== "").join("\n")}
/** Every operation of both APIs, by noun. Every method rejects with an \`SvcError\`. */
export interface PlatformClient {
${groups.join("")}}
`;
}

const takesInput = ({ fields, row }: Operation): boolean => fields.length > 0 || isUpload(row);
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const inputName = ({ id }: Operation): string => `${pascal(id)}Input`;
const itemName = ({ id }: Operation): string => `${pascal(id)}Item`;

function inputText({ fields, row }: Operation): string {
  const own = fields.map(({ name, required, schema }) => lineOf({ name, schema, required }));
  const upload = [
    "  /** What the feed is: `text/csv`, `application/x-ndjson`, … */\n  content_type: string;",
    "  /** `gzip` where the body is compressed. */\n  content_encoding?: string | undefined;",
    "  body: FeedBody;",
  ];
  return `{\n${[...own, ...(isUpload(row) ? upload : [])].join("\n")}\n}`;
}

function methodText(one: Operation): string {
  const { verb, summary, row, fields, item, output, hasCsv } = one;
  const isOptional = !isUpload(row) && !fields.some(({ required }) => required);
  const input = takesInput(one) ? `input${isOptional ? "?" : ""}: ${inputName(one)}` : "input?: Record<string, never>";
  const scope = scopeOf(row);
  const words = `${summary}.${scope ? ` Needs the scope \`${scope}\`.` : ""}`;
  const ref = (schema: Schema, otherwise: string): string => ("$ref" in schema ? typeOf(schema) : otherwise);
  const result = item
    ? `Pages<${ref(item, itemName(one))}>`
    : `Promise<${output ? ref(output, `${pascal(one.id)}Output`) : "void"}${row.mayContinue ? " | undefined" : ""}>`;
  const csv = hasCsv
    ? `    /** The same as CSV. */\n    ${verb}(input: ${inputName(one)} & { format: "csv" }, options?: CallOptions): Promise<string>;\n`
    : "";
  return `${csv}    /** ${words} */\n    ${verb}(${input}, options?: CallOptions): ${result};\n`;
}
