import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import { GPU_MODELS } from "../../cloud/core/prices/gpu-models";
import { ServiceError } from "../../kernel/errors";
import { parseInput } from "../../operation/parse-input";
import type { Input } from "../../operation/pipeline";
import { callOperation } from "./call-operation";
import type { Exchange, McpParts } from "./exchange";
import { objectsCalled, objectTemplatesFor } from "./object-resources";
import { prompts } from "./prompts";
import { isInView, mayCall } from "./tool-pages";
import { TOOL_SCHEMA } from "./tool-schema-resource";
import { allTools } from "./tools";

/** The protocol's limit of values in a response. */
const VALUES_MAX = 100;
/** The nouns whose ids arguments of prompts are. */
const NOUN_OF_ARGUMENT: Readonly<Record<string, string>> = { pod_id: "pods", campaign_id: "campaigns" };

interface Request {
  parts: McpParts;
  exchange: Exchange;
  signal: AbortSignal;
}

/**
 * The values of an argument of a prompt or of a template that begin with what was typed: names of tools and GPU models,
 * and ids of the newest objects that the key may see. Throws `invalid_request` for an unknown prompt, template or argument.
 */
export async function complete(request: Request, params: CompleteRequest["params"]): Promise<CompleteResult> {
  const { argument } = params;
  const values = await valuesOf(request, params);
  const matching = values.filter((value) => value.startsWith(argument.value));
  return {
    completion: {
      values: matching.slice(0, VALUES_MAX),
      total: matching.length,
      hasMore: matching.length > VALUES_MAX,
    },
  };
}

async function valuesOf(request: Request, { ref, argument }: CompleteRequest["params"]): Promise<readonly string[]> {
  return ref.type === "ref/prompt"
    ? valuesOfPrompt(request, ref.name, argument.name)
    : valuesOfTemplate(request, ref.uri, argument.name);
}

async function valuesOfPrompt(request: Request, name: string, argument: string): Promise<readonly string[]> {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw invalid(`There is no prompt "${name.slice(0, 80)}".`);
  if (!prompt.arguments?.some((one) => one.name === argument)) throw noArgument(argument, `the prompt ${name}`);
  if (argument === "gpu") return GPU_MODELS;
  return idsOf(request, NOUN_OF_ARGUMENT[argument]);
}

async function valuesOfTemplate(request: Request, uri: string, argument: string): Promise<readonly string[]> {
  const { actor } = request.exchange.caller;
  if (uri === TOOL_SCHEMA.uriTemplate && argument === "name") {
    const shown = allTools.filter((tool) => isInView(tool, request.exchange.view) && mayCall(actor, tool));
    return shown.map(({ name }) => name);
  }
  const template = [TOOL_SCHEMA, ...objectTemplatesFor(actor)].find((one) => one.uriTemplate === uri);
  if (!template) throw invalid(`There is no template "${uri.slice(0, 100)}"; resources/templates/list names them.`);
  if (argument !== "id") throw noArgument(argument, uri);
  return idsOf(request, template.name);
}

/** Of the newest objects of a noun; none if the key may not see them. */
async function idsOf({ parts, exchange, signal }: Request, noun: string | undefined): Promise<readonly string[]> {
  const objects = objectsCalled(noun, exchange.caller.actor);
  if (!objects) return [];
  const { list, title: name } = objects;
  const readInput = () => ({ sent: {}, input: parseInput(list.input, { limit: VALUES_MAX }) as Input });
  const { value } = await callOperation(parts, exchange, { operation: list, name, readInput, signal });
  return (value as { data: { id: string }[] }).data.map(({ id }) => id);
}

const invalid = (message: string): ServiceError => new ServiceError("invalid_request", message);
const noArgument = (argument: string, of: string): ServiceError =>
  invalid(`argument.name: ${of} has no argument "${argument.slice(0, 80)}".`);
