import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { isImpliedByName } from "../../server/surfaces/mcp/brief-schema";
import { firstSentences } from "../../server/surfaces/mcp/first-sentences";
import { shareRepeatedParts } from "../../server/surfaces/mcp/shared-parts";

const TOKENS_PER_TOOL_MAX = 300;
/** Of a tool with many arguments, which `LARGE` names. */
export const TOKENS_PER_LARGE_TOOL_MAX = 700;
const LARGE = new Set([
  "svc_pods_run",
  "svc_pods_estimate",
  "svc_storage_buckets_create",
  "svc_edge_update",
  "svc_ads_campaigns_create",
  "svc_ads_campaigns_update",
  "svc_ads_creatives_create",
  "svc_ads_explain",
  "gpuc_cks_node_group_create",
  "gpuc_inference_create",
]);

/** A tool as a list may have it, right or wrong. */
export interface AnyListedTool {
  [member: string]: unknown;
  name: string;
  title?: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  annotations?: Readonly<Record<string, unknown>>;
}

/** The tokens of a value as JSON, in the vocabulary o200k. */
export const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length;

/** What a list of so many tools may have: 30,000 tokens with 126 tools, and 60,000 with 330. */
export const budgetOf = (tools: number): number => 30_000 + Math.round(((tools - 126) * 30_000) / (330 - 126));

/** What makes a list longer than it has to be, as sentences. */
export function problemsOf(tool: AnyListedTool): string[] {
  const { name, title, description, inputSchema } = tool;
  const problems = [...hintProblems(tool), ...argumentsOf(inputSchema).flatMap(argumentProblems)];
  for (const member of ["outputSchema", "_meta"]) if (member in tool) problems.push(`has ${member}`);
  if (title !== undefined && isImpliedByName(`${name} ${description}`, title))
    problems.push("has a title that says no more");
  if (firstSentences(description, 2) !== description) problems.push("has more than two sentences");
  if (!Array.isArray(inputSchema.required)) problems.push("has no required");
  if (shareRepeatedParts(inputSchema) !== inputSchema) problems.push("has a part several times");
  const most = LARGE.has(name) ? TOKENS_PER_LARGE_TOOL_MAX : TOKENS_PER_TOOL_MAX;
  if (tokensOf(tool) > most) problems.push(`has more than ${most} tokens`);
  return problems.map((problem) => `${name} ${problem}`);
}

/** The defaults of the protocol. */
const HINTS: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

function hintProblems({ annotations = {} }: AnyListedTool): string[] {
  const inApplicable = annotations.readOnlyHint === true ? ["destructiveHint", "idempotentHint"] : [];
  return Object.entries(annotations).flatMap(([hint, value]) => {
    if (!(hint in HINTS)) return [`has the annotation ${hint}`];
    if (HINTS[hint] === value) return [`has ${hint} with its default`];
    return inApplicable.includes(hint) ? [`only reads, and has ${hint}`] : [];
  });
}

interface Argument {
  name: string;
  type?: unknown;
  enum?: unknown;
  description?: string;
}

/** All properties of a schema, also of objects in it. */
function argumentsOf(schema: unknown): Argument[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries((schema as { properties?: Record<string, object> }).properties ?? {});
  const below = Object.values(schema).flatMap((value) => argumentsOf(value));
  return [...own.map(([name, property]) => ({ ...property, name })), ...below];
}

/** Words that are the whole of a description, or all that follows a colon: "hot, warm or cold". */
const CHOICES_IN_PROSE = /^(?:[^.]*: )?`?[a-z_]+`?(?:, `?[a-z_]+`?)*,? or `?[a-z_]+`?\.?$/;

function argumentProblems(argument: Argument): string[] {
  const { name, description } = argument;
  if (description === undefined) return [];
  if (isImpliedByName(name, description)) return [`describes ${name} with its name`];
  if (firstSentences(description, 1) !== description) return [`has more than a sentence about ${name}`];
  const isOpen = argument.type === "string" && argument.enum === undefined;
  return isOpen && CHOICES_IN_PROSE.test(description) ? [`names the choices of ${name} in prose`] : [];
}
