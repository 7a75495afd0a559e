import { z } from "zod";
import { IdText, ModeName, NameText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { parseInput } from "../../../operation/parse-input";
import type { Families, Family, Kind } from "./family";
import { PLANES, type Plane, RESOURCE_SERVICES, type ResourceService } from "./services";

const KIND_LENGTH_MAX = 60;

/** What a client says about a resource. */
export const resourceFields = {
  plane: z.enum(PLANES).default("gpuc").describe("The group of services; default gpuc"),
  service: z.enum(RESOURCE_SERVICES).describe("The service that it belongs to"),
  kind: z.string().max(KIND_LENGTH_MAX).describe("Default: the first kind of the service"),
  name: NameText.describe("Unique in its project, mode and service"),
  spec: z
    .record(z.string(), z.unknown())
    .describe("Depends on the kind; `GET /v1/resources/kinds` has the JSON schema of each"),
};

export const resourceChoice = { rid: IdText.min(1).describe("The id of the resource") };

/** Where a resource is created. */
export const placeFields = {
  mode: ModeName.optional().describe("The mode of a person's request (default: test); a key always uses its own mode"),
  project: IdText.optional().describe(
    "The project of a person's request (default: the first one), by id or name; a key always uses its own project",
  ),
};

interface AskedKind {
  plane: Plane;
  service: ResourceService;
  kind?: string | undefined;
}

/** The kind that a request names. Throws `invalid_request` for a service or kind without resources. */
export function askedKind(families: Families, asked: AskedKind): { family: Family; name: string; kind: Kind } {
  const family = families.find(asked);
  if (!family) throw invalid("service", `${asked.service} has no resources; see GET /v1/resources/kinds.`);
  const names = Object.keys(family.kinds);
  const name = asked.kind ?? names[0] ?? "";
  const kind = Object.hasOwn(family.kinds, name) ? family.kinds[name] : undefined;
  if (!kind) throw invalid("kind", `expected ${names.length > 1 ? "one of " : ""}${names.join(", ")}.`);
  return { family, name, kind };
}

/** The spec with defaults. Throws `invalid_request` with a path such as `spec.tier`. */
export const parseSpec = (kind: Kind, spec: unknown): unknown =>
  parseInput(z.object({ spec: kind.spec }), { spec: spec ?? {} }).spec;

const invalid = (param: string, text: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${text}`, { param });
