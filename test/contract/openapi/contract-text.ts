import { createHash } from "node:crypto";

/** JSON Schema, as far as the documents use it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}

export interface ContractDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

/**
 * An OpenAPI document as lines to read in a review: the text of one file for each tag, by the name of the file, and
 * `components.txt` for what operations share. An operation is one line with its credential and statuses, followed by one
 * line for each parameter, field of the request and field of the response; a schema is one line and one for each of its
 * fields. `*` marks what is required. The line of an operation and of a component ends with a hash of all that the
 * document says of it, so that a changed text or example shows too.
 */
export function contractText(document: ContractDocument): Record<string, string> {
  const { paths, components, ...rest } = document;
  const files = new Map<string, string[]>();
  for (const [at, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const name = `${(operation.tags[0] ?? "").toLowerCase().replaceAll(/\W+/g, "-")}.txt`;
      const lines = files.get(name) ?? [];
      files.set(name, [...lines, ...operationLines(`${method.toUpperCase()} ${at}`, operation)]);
    }
  }
  files.set("components.txt", [`document ${hashOf(rest)}`, ...componentLines(components)]);
  return Object.fromEntries([...files].map(([name, lines]) => [name, `${lines.join("\n")}\n`]));
}

function operationLines(address: string, operation: Operation): string[] {
  const { operationId, security, parameters = [], requestBody, responses } = operation;
  const credential = security.map(credentialText).join(" or ") || "none";
  const answers = Object.entries(responses);
  const bodies = answers.filter(([, { content }]) => content !== undefined);
  return [
    `${address} ${operationId} (${credential}) ${answers.map(([status]) => status).join(" ")} ${hashOf(operation)}`,
    ...parameters.map((one) => `  ${one.in} ${one.name}${one.required ? "*" : ""} ${shapeOf(one.schema)}`),
    ...contentLines(requestBody?.required ? "body*" : "body", requestBody?.content),
    ...bodies.flatMap(([status, { content }]) => contentLines(status, content)),
  ];
}

const credentialText = (scheme: Record<string, string[]>): string =>
  Object.entries(scheme)
    .map(([name, scopes]) => [name, ...scopes].join(" "))
    .join(" and ");

function contentLines(place: string, content: Content = {}): string[] {
  return Object.entries(content).flatMap(([type, { schema }]) => {
    const prefix = type === "application/json" ? place : `${place} ${type}`;
    return schemaLines(prefix, schema).map((line) => `  ${line}`);
  });
}

function componentLines(components: ContractDocument["components"]): string[] {
  return Object.entries(components).flatMap(([kind, named]) =>
    Object.entries(named).flatMap(([name, component]) =>
      kind === "schemas"
        ? [`${name} ${hashOf(component)}`, ...schemaLines("", component).map((line) => `  ${line.trim()}`)]
        : [`${kind} ${name} ${hashOf(component)}`],
    ),
  );
}

/** One line for each field of an object, and one line for any other schema. */
function schemaLines(prefix: string, schema: Schema): string[] {
  const { properties } = schema;
  if (!properties || Object.keys(properties).length === 0) return [`${prefix} ${shapeOf(schema)}`];
  return Object.entries(properties).map(
    ([name, field]) => `${prefix} ${name}${schema.required?.includes(name) ? "*" : ""} ${shapeOf(field)}`,
  );
}

/** A schema on one line, such as `string 1..100` or `{per*: "campaign" | "channel"}[] 0..8`. */
function shapeOf(schema: Schema): string {
  const { $ref, enum: values, default: standard } = schema;
  const shape =
    $ref?.replace("#/components/schemas/", "") ??
    values?.map((value) => JSON.stringify(value)).join(" | ") ??
    ("const" in schema ? JSON.stringify(schema.const) : composedShape(schema));
  return standard === undefined ? shape : `${shape} = ${JSON.stringify(standard)}`;
}

function composedShape(schema: Schema): string {
  const { anyOf, oneOf, allOf, type } = schema;
  const either = anyOf ?? oneOf;
  if (either) return either.map(shapeOf).join(" | ");
  if (allOf) return allOf.map(shapeOf).join(" & ");
  const types = Array.isArray(type) ? type : [type ?? "any"];
  return types.map((one) => shapeOfType(one, schema)).join(" | ");
}

function shapeOfType(type: string, schema: Schema): string {
  if (type === "array") return `${itemShape(schema.items ?? {})}[]${range(schema.minItems, schema.maxItems)}`;
  if (type === "object") return objectShape(schema);
  if (type === "integer" || type === "number") {
    return `${type}${range(schema.minimum ?? schema.exclusiveMinimum, schema.maximum)}`;
  }
  if (type !== "string") return type;
  const { format, pattern, minLength, maxLength } = schema;
  return `string${format ? ` ${format}` : ""}${pattern ? ` /${pattern}/` : ""}${range(minLength, maxLength)}`;
}

function itemShape(items: Schema): string {
  const shape = shapeOf(items);
  return /[ |&]/.test(shape) && !shape.startsWith("{") ? `(${shape})` : shape;
}

function objectShape({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "*" : ""}: ${shapeOf(field)}`,
  );
  if (typeof additionalProperties === "object") fields.push(`[name]: ${shapeOf(additionalProperties)}`);
  return `{${fields.join(", ")}}`;
}

const range = (from?: number, to?: number): string =>
  from === undefined && to === undefined ? "" : ` ${from ?? ""}..${to ?? ""}`;

const hashOf = (value: object): string =>
  `#${createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12)}`;
