import { expect, it } from "vitest";
import { z } from "zod";
import { fieldsOf } from "./schema-fields";

it("describes each field of a kind's data in words", () => {
  const data = z.object({
    id: z.string(),
    ended_at: z.iso.datetime().nullable().describe("Null while it runs"),
    scopes: z.array(z.string()),
    mode: z.enum(["test", "live"]),
    limit: z.int().optional(),
    targeting: z.object({ geos: z.array(z.string()) }),
    extra: z.unknown(),
  });
  expect(fieldsOf({ ...z.toJSONSchema(data) }).map(({ name, text }) => `${name}: ${text}`)).toEqual([
    "id: string",
    "ended_at: time (RFC 3339) or null. Null while it runs",
    "scopes: list of string",
    "mode: test or live",
    "limit: integer, may be absent",
    "targeting: object",
    "extra: any JSON value",
  ]);
});
