import { z } from "zod";
import { type Tool, tool } from "../../../operation/tool";
import type { CreationTool, Family } from "../kinds/family";
import { scopeOf } from "../planes/plane-scope";
import { gateOf, PLANE_DEFINITIONS } from "../planes/planes";
import { createResource } from "./create-resource";
import { deleteResource } from "./delete-resource";
import { getResource } from "./get-resource";
import { listResources } from "./list-resources";

/** Arguments that are no fields of the spec. */
const OWN = new Set(["name", "kind"]);

type Given = Record<string, unknown>;

/**
 * The tools of a family. The specification names those of edge and obs alike: `<prefix><service>_create`, `_list`, `_get` and
 * `_delete`. A family of gpuc has the notation of its own that it states.
 */
export function toolsOf(family: Family): Tool[] {
  const { plane, service, kinds, tools } = family;
  if (tools)
    return [
      ...(tools.create ?? []).map((one) => creationTool(family, one)),
      ...(tools.list === undefined ? [] : [listTool(family, tools.list)]),
      ...(tools.delete === undefined ? [] : [rowTool(family, "delete", tools.delete)]),
    ];
  if (family.blocker || Object.keys(kinds).length === 0) return [];
  const name = `${PLANE_DEFINITIONS[plane].toolPrefix}${service}`;
  return [
    genericCreation(family, `${name}_create name*:s kind:s spec:o`),
    listTool(family, { signature: `${name}_list` }),
    rowTool(family, "get", `${name}_get rid*:s`),
    rowTool(family, "delete", `${name}_delete rid*:s`),
  ];
}

/** Its arguments besides `name` and `kind` are fields of the spec. */
function creationTool(family: Family, { signature, kind, spec, about, nameOf }: CreationTool): Tool {
  const { plane, service } = family;
  const given = signature
    .split(" ")
    .slice(1)
    .map((field) => field.replace(/\*?:.*/, ""));
  const names = given.filter((name) => !OWN.has(name));
  const shape = spec?.shape ?? shapeOf(family, kind);
  const kinds = Object.keys(family.kinds) as [string, ...string[]];
  const fields: Record<string, z.ZodType> = { kind: z.enum(kinds), ...shape };
  const schemas = given.flatMap((name) => (fields[name] ? [[name, fields[name]] as const] : []));
  return tool(signature, createResource, {
    access: scopeOf(plane, "write"),
    title: about.split(/[.:;,]/, 1)[0] ?? "",
    description: about,
    renamed: Object.fromEntries(names.map((name) => [name, `spec.${name}`])),
    fields: Object.fromEntries(schemas),
    toInput: (given: Given) => {
      const own = Object.entries(given).filter(([name]) => OWN.has(name));
      const fixed = { plane, service, ...(kind !== undefined && { kind }), ...(nameOf && { name: nameOf(given) }) };
      return { ...fixed, ...Object.fromEntries(own), spec: withoutOwn(given) };
    },
  });
}

function shapeOf({ kinds }: Family, kind = Object.keys(kinds)[0] ?? ""): Record<string, z.ZodType> {
  const spec = kinds[kind]?.spec;
  return spec instanceof z.ZodObject ? (spec.shape as Record<string, z.ZodType>) : {};
}

const withoutOwn = (given: Given) => Object.fromEntries(Object.entries(given).filter(([name]) => !OWN.has(name)));

/** One creation for all kinds of a family. */
function genericCreation(family: Family, signature: string): Tool {
  const { plane, service, label, summary, kinds } = family;
  const names = Object.keys(kinds) as [string, ...string[]];
  return tool(signature, createResource, {
    access: scopeOf(plane, "write"),
    title: `Create a resource of ${label}`,
    description: `Creates a resource of ${label}: ${summary} ${placeholderText(family)}`,
    notes: { spec: "Its fields depend on the kind; see GET /v1/resources/kinds" },
    fields: {
      kind: z.enum(names).describe(`Default: ${names[0]}`),
      spec: z.record(z.string(), z.unknown()).describe("Its fields depend on the kind: see GET /v1/resources/kinds"),
    },
    toInput: (given: Given) => ({ plane, service, ...given }),
  });
}

function placeholderText({ plane, service }: Family): string {
  const gate = gateOf({ plane, service });
  const unless = gate
    ? `Without the activated service ${gate.service}`
    : "Where this installation cannot provision it,";
  return `${unless} the result is a placeholder with the reason and the plan.`;
}

const listTool = ({ plane, service, label }: Family, { signature, kind }: { signature: string; kind?: string }): Tool =>
  tool(signature, listResources, {
    access: scopeOf(plane, "read"),
    description: `Lists the resources of ${label} in the project, newest first, at most 100.`,
    toInput: (given: Given) => ({ plane, service, ...(kind !== undefined && { kind }), ...given }),
  });

/** A tool whose only argument is the id of a resource of the family. */
function rowTool({ plane, service, label }: Family, what: "get" | "delete", signature: string): Tool {
  const argument = /^\S+ ([a-z][a-z0-9_]*)/.exec(signature)?.[1] ?? "rid";
  const toInput = (given: Given) => ({ rid: given[argument], plane, service });
  if (what === "get") {
    const description = `Returns a resource of ${label} with its last observation.`;
    return tool(signature, getResource, {
      access: scopeOf(plane, "read"),
      description,
      notes: { [argument]: "" },
      toInput,
    });
  }
  return tool(signature, deleteResource, {
    access: scopeOf(plane, "write"),
    description: `Deletes a resource of ${label} with its data, or a placeholder. It fails while something else uses the resource.`,
    ...(argument !== "rid" && { renamed: { [argument]: "rid" } }),
    notes: { [argument]: "" },
    toInput,
  });
}
