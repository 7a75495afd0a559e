import { z } from "zod";
import { IdText, NameText } from "../../../identity/wire-text";
import { PLANES } from "../../../operation/actor";
import type { ServiceId } from "../planes/planes";

const KIND_LENGTH_MAX = 60;

/** What a client says about a resource. */
export const resourceFields = {
  plane: z.enum(PLANES).default("gpuc").describe("The group of services; default gpuc"),
  service: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, "expected the name of a service, such as object")
    .describe("A service of the plane; `GET /v1/services` lists them"),
  kind: z.string().max(KIND_LENGTH_MAX).describe("Default: the first kind of the service"),
  name: NameText.describe("Unique in its project, mode and service"),
  spec: z
    .record(z.string(), z.unknown())
    .describe("Depends on the kind; `GET /v1/resources/kinds` has the JSON schema of each"),
};

/** Only what is of one plane, or of one service. */
export const serviceFilter = {
  plane: z.enum(PLANES).optional().describe("Only of this group of services; default: all that the scopes allow"),
  service: resourceFields.service.optional().describe("Only of this service"),
};

/** Which service a resource that is chosen by its id must be of. */
export const ofService = {
  plane: z.enum(PLANES).optional().describe("With `service`; default gpuc"),
  service: resourceFields.service.optional().describe("404 unless the resource is of this service"),
};

/** What `ofService` asks for; undefined: any service. */
export const askedServices = ({ plane = "gpuc", service }: AskedService): ServiceId[] | undefined =>
  service === undefined ? undefined : [{ plane, service }];

type AskedService = { [name in keyof typeof ofService]?: z.output<(typeof ofService)[name]> };

export const resourceChoice = { rid: IdText.min(1).describe("The id of the resource") };
