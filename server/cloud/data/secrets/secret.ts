import { z } from "zod";
import type {
  Secret as SecretRow,
  SecretVersion as SecretVersionRow,
} from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";
import type { Mode } from "../../../operation/actor";

export const SECRET_ID_PREFIX = "sct";

/** A secret without its value. */
export const Secret = z
  .object({
    id: z.string().meta({ examples: ["sct_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string().nullable().describe("null: a secret of the whole tenant, which every project can use"),
    mode: ModeName,
    name: z.string(),
    version: z.int().describe("The number of the current version, from 1"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe("When the current version was stored"),
  })
  .meta({ id: "Secret" });
export type Secret = z.infer<typeof Secret>;

export const SecretWithVersions = Secret.extend({
  versions: z
    .array(z.object({ version: z.int(), created_at: z.iso.datetime() }))
    .describe("The versions whose values are kept, newest first: the last 10"),
}).meta({ id: "SecretWithVersions" });
export type SecretWithVersions = z.infer<typeof SecretWithVersions>;

export const SecretValue = z
  .object({ id: z.string(), name: z.string(), version: z.int(), value: z.string() })
  .meta({ id: "SecretValue" });
export type SecretValue = z.infer<typeof SecretValue>;

/** Where a secret belongs; `projectId` is null for one of the whole tenant. */
export interface SecretOwner {
  tenantId: string;
  projectId: string | null;
  mode: Mode;
}

export const toSecret = (row: SecretRow): Secret => toWire(Secret, row, {});

export const toVersion = ({ number, createdAt }: Pick<SecretVersionRow, "number" | "createdAt">) => ({
  version: number,
  created_at: createdAt.toISOString(),
});

/** Where the events of a secret belong. */
export const originOf = ({ projectId, mode }: SecretRow) => ({ projectId: projectId ?? undefined, mode });

export const secretTarget = targetOf("secret");

/** The same error for a secret that does not exist and for one that the caller may not see. */
export const noSuchSecret = (asked: string): ServiceError =>
  new ServiceError("not_found", `No secret has the id or name "${asked.slice(0, 128)}".`);
