import type { z } from "zod";
import { type Tool, tool } from "../../../operation/tool";
import { createResource } from "./create-resource";
import { deleteResource } from "./delete-resource";
import { listResources } from "./list-resources";
import type { ResourceService } from "./services";

/** Arguments that are no fields of the spec. */
const OWN = new Set(["name", "kind"]);

interface CreationTool {
  service: ResourceService;
  /** Absent: the argument `kind`, or the first kind of the service. */
  kind?: string;
  /** The spec of the kind, or of the kinds; `kind` of it says which there are. */
  spec: z.ZodObject;
  /** The first clause of it is the title. */
  description: string;
  /** The name of the resource, of a tool that has no argument for it. */
  nameOf?: (given: Record<string, unknown>) => string;
}

/** A tool that creates resources: its arguments besides `name` and `kind` are fields of the spec. */
export function creationTool(signature: string, { service, kind, spec, description, nameOf }: CreationTool): Tool {
  const [, ...fields] = signature.split(" ");
  const given = fields.map((field) => field.replace(/\*?:.*/, ""));
  const names = given.filter((name) => !OWN.has(name));
  const schemas = given.flatMap((name) => (spec.shape[name] ? [[name, spec.shape[name] as z.ZodType] as const] : []));
  return tool(signature, createResource, {
    title: description.split(/[.:;,]/, 1)[0] ?? "",
    description,
    renamed: Object.fromEntries(names.map((name) => [name, `spec.${name}`])),
    fields: Object.fromEntries(schemas),
    toInput: (given: Record<string, unknown>) => {
      const own = Object.entries(given).filter(([name]) => OWN.has(name));
      const fixed = { service, ...(kind !== undefined && { kind }), ...(nameOf && { name: nameOf(given) }) };
      return { ...fixed, ...Object.fromEntries(own), spec: withoutOwn(given) };
    },
  });
}

const withoutOwn = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !OWN.has(name)));

/** A tool that lists the resources of a service; it may take `kind`. */
export const listTool = (signature: string, service: ResourceService): Tool =>
  tool(signature, listResources, {
    description: `Lists the resources of ${service} in the project, newest first, at most 100.`,
    toInput: (given: Record<string, unknown>) => ({ ...given, service }),
  });

/** A tool that deletes a resource of a service by the id in its only argument. */
export function deletionTool(signature: string, service: ResourceService): Tool {
  const argument = /^\S+ ([a-z][a-z0-9_]*)/.exec(signature)?.[1] ?? "rid";
  return tool(signature, deleteResource, {
    description: `Deletes a resource of ${service} with its data, or a placeholder. It fails while something else uses the resource.`,
    renamed: { [argument]: "rid" },
    notes: { [argument]: "" },
    toInput: (given: Record<string, unknown>) => ({ rid: given[argument], service }),
  });
}
