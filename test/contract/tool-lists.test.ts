import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createResource } from "../../server/cloud/core/resources/create-resource";
import { deleteResource } from "../../server/cloud/core/resources/delete-resource";
import { getResource } from "../../server/cloud/core/resources/get-resource";
import { listResources } from "../../server/cloud/core/resources/list-resources";
import type { Actor } from "../../server/operation/actor";
import { type JsonSchema, jsonSchemaOf, resolved } from "../../server/operation/json-schema";
import { extraTool, type Tool, tool } from "../../server/operation/tool";
import { briefSchema } from "../../server/surfaces/mcp/brief-schema";
import { briefTool } from "../../server/surfaces/mcp/listed-tool";
import { TOOLS_PER_PAGE, toolPage, wholeTool } from "../../server/surfaces/mcp/tool-pages";
import type { ToolView } from "../../server/surfaces/mcp/tool-view";
import { allTools } from "../../server/surfaces/mcp/tools";
import { TOOLSETS } from "../../server/surfaces/mcp/toolsets";
import { type AnyListedTool, budgetOf, problemsOf, TOKENS_PER_LARGE_TOOL_MAX, tokensOf } from "./tool-rules";

const TOOLSET_TOKENS_MAX = 8000;
/** What one more tool of a family may have, so that 330 tools have at most 60,000 tokens. */
const TOKENS_PER_FAMILY_TOOL_MAX = 147;
const VIEW: ToolView = { schemas: "brief", toolsets: undefined, isReadOnly: false, key: "all" };

const everyone = { scopes: new Set(allTools.map(({ operation }) => operation.access)) } as unknown as Actor;
const briefs = allTools.map((one) => briefTool(one) as unknown as AnyListedTool);
const byName = new Map(allTools.map((one) => [one.name, one]));
const resultOf = (tools: readonly unknown[]) => ({ tools });

/** All that the tools of a family say, which differ from family to family in names and a sentence. */
const FAMILY: readonly Tool[] = [
  tool("edgec_waiting_room_create name*:s kind:s spec:o", createResource, {
    description: "Creates a waiting room: visitors of a host wait in order while it has as many as it can serve.",
  }),
  tool("edgec_waiting_room_list", listResources, { description: "Lists the waiting rooms of the project." }),
  tool("edgec_waiting_room_get rid*:s", getResource, { description: "Returns a waiting room." }),
  tool("edgec_waiting_room_delete rid*:s", deleteResource, { description: "Deletes a waiting room." }),
];

describe("lists of tools", () => {
  it("fit into a model's context, as printed", () => {
    const lists = {
      all: briefs,
      [`the first ${TOOLS_PER_PAGE}`]: toolPage(everyone, VIEW, undefined).tools,
      "only reading": briefs.filter(({ name }) => byName.get(name)?.isReadOnly),
      ...Object.fromEntries(
        TOOLSETS.map((set) => [set, briefs.filter(({ name }) => byName.get(name)?.toolset === set)]),
      ),
      "all, whole schemas": allTools.map(wholeTool),
    };
    const rows = Object.entries(lists).map(([list, tools]) => [list, tools.length, tokensOf(resultOf(tools))] as const);
    const each = briefs.map((one) => [one.name, tokensOf(one)] as const).sort(([, a], [, b]) => b - a);
    process.stdout.write(`${rows.map((row) => row.join(" | ")).join("\n")}\n`);
    process.stdout.write(`${each.map(([name, tokens]) => `${name} ${tokens}`).join(", ")}\n`);
    for (const [list, count, tokens] of rows) {
      if (list === "all, whole schemas") continue;
      expect(tokens, list).toBeLessThanOrEqual(TOOLSETS.includes(list) ? TOOLSET_TOKENS_MAX : budgetOf(count));
    }
    expect(budgetOf(126)).toBe(30_000);
    expect(budgetOf(330)).toBe(60_000);
  });

  it("grow by little with each tool of a family", () => {
    const tokens = FAMILY.map((one) => tokensOf(briefTool(one)));
    process.stdout.write(`a family: ${tokens.join(" + ")}\n`);
    const mean = tokens.reduce((sum, one) => sum + one, 0) / tokens.length;
    expect(mean).toBeLessThanOrEqual(TOKENS_PER_FAMILY_TOOL_MAX);
    const projected = tokensOf(resultOf(briefs)) + mean * (330 - briefs.length);
    expect(projected).toBeLessThanOrEqual(budgetOf(330));
  });

  it("say nothing twice and nothing that is understood", () => {
    expect([...briefs, ...FAMILY.map((one) => briefTool(one) as never)].flatMap(problemsOf)).toEqual([]);
  });

  it("have notes for arguments that exist", () => {
    const pathsOf = (schema: unknown, defs: Record<string, JsonSchema>, path: string[] = []): string[] => {
      if (typeof schema !== "object" || schema === null) return [];
      const { properties, items, additionalProperties, anyOf, oneOf } = resolved(schema as JsonSchema, defs);
      const inner = Object.entries(properties ?? {}).flatMap(([name, one]) => pathsOf(one, defs, [...path, name]));
      const parts = [items, additionalProperties, ...((anyOf ?? oneOf ?? []) as unknown[])];
      return [path.join("."), ...inner, ...parts.flatMap((one) => pathsOf(one, defs, [...path, "*"]))];
    };
    const pathsIn = (schema: JsonSchema) => pathsOf(schema, (schema.$defs ?? {}) as Record<string, JsonSchema>);
    const unknown = allTools.flatMap(({ notes }) => {
      const users = allTools.filter((one) => one.notes === notes);
      const known = new Set(users.flatMap((one) => pathsIn(jsonSchemaOf(one.arguments, "input"))));
      return Object.keys(notes).filter((path) => !known.has(path));
    });
    expect(unknown).toEqual([]);
  });

  it("have, with whole schemas, those that the examples of the operations match", () => {
    const validators = new AjvJsonSchemaValidator();
    for (const { name, outputSchema, inputSchema } of allTools.map(wholeTool)) {
      expect(() => validators.getValidator(inputSchema), name).not.toThrow();
      if (!outputSchema) continue;
      const check = validators.getValidator(outputSchema);
      const output = JSON.parse(JSON.stringify(byName.get(name)?.operation.example.output)) as unknown;
      expect(check(output), name).toMatchObject({ valid: true });
      expect(check([]), name).toMatchObject({ valid: false });
    }
    const without = allTools.filter((one) => !wholeTool(one).outputSchema);
    for (const { name, operation } of without)
      expect(operation.mayContinue ?? !operation.output.safeParse({}).success, name).toBe(true);
  });

  it("are computed once", () => {
    const [first] = toolPage(everyone, VIEW, undefined).tools;
    expect(toolPage(everyone, VIEW, undefined).tools[0]).toBe(first);
    for (const one of allTools.slice(0, 5)) {
      expect(wholeTool(one)).toBe(wholeTool(one));
      expect(jsonSchemaOf(one.operation.output, "output")).toBe(jsonSchemaOf(one.operation.output, "output"));
    }
  });
});

describe("a planted tool that", () => {
  const right: AnyListedTool = {
    name: "svc_lamps_list",
    description: "Lists lamps.",
    inputSchema: { type: "object", properties: {}, required: [] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  const part = { type: "object", properties: { first_name: { type: "string" }, last_name: { type: "string" } } };
  const withArgument = (argument: object) => ({
    inputSchema: { type: "object", properties: { color: { type: "string", ...argument } }, required: [] },
  });

  it.each<[string, object, RegExp]>([
    ["has a hint with its default", { annotations: { openWorldHint: true } }, /openWorldHint with its default/],
    ["has a hint without a use", { annotations: { readOnlyHint: true, destructiveHint: false } }, /only reads/],
    ["has a second title", { annotations: { title: "Lamps" } }, /annotation title/],
    ["has a title that repeats its name", { title: "List the lamps" }, /title that says no more/],
    ["has an output schema", { outputSchema: { type: "object" } }, /has outputSchema/],
    ["has metadata", { _meta: { "svc/scope": "pods:read" } }, /has _meta/],
    ["explains much", { description: "Lists lamps. They shine. They are green." }, /more than two sentences/],
    ["has no `required`", { inputSchema: { type: "object", properties: {} } }, /no required/],
    [
      "has a part twice",
      {
        inputSchema: {
          type: "object",
          properties: { a: { type: "array", items: part }, b: { type: "array", items: part } },
          required: [],
        },
      },
      /part several times/,
    ],
    [
      "names choices in prose",
      withArgument({ description: "Its light: red, green or blue" }),
      /choices of color in prose/,
    ],
    ["repeats the name of an argument", withArgument({ description: "The color" }), /describes color with its name/],
    ["says much about an argument", withArgument({ description: "Its light. Rarely blue." }), /more than a sentence/],
    ["is too large", { description: "lamp ".repeat(300) }, /more than 300 tokens/],
    [
      "is too large for one with many arguments",
      { name: "svc_pods_run", description: "lamp ".repeat(TOKENS_PER_LARGE_TOOL_MAX) },
      /more than 700 tokens/,
    ],
  ])("%s is found", (_, change, problem) => {
    expect(problemsOf(right)).toEqual([]);
    expect(problemsOf({ ...right, ...change })).toEqual([expect.stringMatching(problem)]);
  });
});

describe("a brief schema", () => {
  const Lamp = z.strictObject({
    name: z.string().min(1).describe("A name. It is shown."),
    lux: z.int().min(0).max(50),
  });
  const Input = z.strictObject({
    id: z.string().regex(/^lmp_/).describe("The id of the lamp"),
    lamps: z.array(Lamp).max(3).optional(),
    spare: z.array(Lamp).default([]),
    at: z.iso.datetime().optional(),
    count: z.int().optional(),
    any: z.json().optional(),
  });

  it("has what a call needs, and shared parts once", () => {
    expect(briefSchema(jsonSchemaOf(Input, "input"), { lamps: "Those that shine" })).toEqual({
      type: "object",
      properties: {
        id: { type: "string", description: "The id of the lamp" },
        lamps: { type: "array", items: { $ref: "#/$defs/lamps" }, description: "Those that shine" },
        spare: { type: "array", items: { $ref: "#/$defs/lamps" } },
        at: { type: "string", format: "date-time" },
        count: { type: "integer" },
        any: {},
      },
      required: ["id"],
      additionalProperties: false,
      $defs: {
        lamps: {
          type: "object",
          properties: { name: { type: "string", description: "A name." }, lux: { type: "integer", maximum: 50 } },
          required: ["name", "lux"],
        },
      },
    });
  });

  it("is what a tool has with all constraints in its whole form", () => {
    const operation = { ...listResources, input: Input, description: "First. Second. Third." };
    const made = extraTool("svc_lamps_find", operation as never);
    expect(briefTool(made).description).toBe("List resources. First.");
    expect(wholeTool(made)).toMatchObject({
      description: "List resources. First. Second. Third.",
      inputSchema: { properties: { id: { pattern: "^lmp_" } } },
      outputSchema: { type: "object" },
    });
  });
});
