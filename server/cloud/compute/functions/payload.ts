import { z } from "zod";
import type { Json } from "../../../identity/stored-json";

/** Any JSON value; a body without it calls the function with null. */
export const Payload = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string(), z.number(), z.boolean(), z.null()])
  .describe("A JSON value of at most 1 MiB, which the function receives; default null") as z.ZodType<Json>;
