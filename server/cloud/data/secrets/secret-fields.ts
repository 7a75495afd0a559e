import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { IdText } from "../../../identity/wire-text";
import { SECRET_ID_PREFIX } from "./secret";

const VALUE_BYTES_MAX = 64 * 1024;

/** How many versions of a secret keep their values. */
export const VERSIONS_KEPT = 10;

const NameOrId = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, "expected 1 to 128 characters of A-Z a-z 0-9 . _ -");

export const SecretName = NameOrId.refine(
  (name) => !name.startsWith(`${SECRET_ID_PREFIX}_`),
  'must not begin with "sct_", as ids of secrets do',
).describe("Unique within its project and mode, or its tenant and mode: 1 to 128 characters of `A-Z a-z 0-9 . _ -`");

export const PutName = NameOrId.describe(
  "A name of 1 to 128 characters of `A-Z a-z 0-9 . _ -`, or the id of a secret that exists",
);

/** The messages say nothing of the value. */
export const SecretText = z
  .string()
  .min(1, "expected a value of at least 1 byte")
  .refine((text) => Buffer.byteLength(text) <= VALUE_BYTES_MAX, "expected at most 64 KiB of UTF-8 text")
  .describe("1 byte to 64 KiB of text; only `GET /v1/secrets/{name}/value` returns it");

const TENANT = "true: the secret of the whole tenant, which every project can use; default: the one of the project";

export const tenantInBody = z.boolean().optional().describe(TENANT);

/** A flag as text in a query string. */
const flagInQuery = z
  .preprocess((value: unknown) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
  .optional();

/** The part of a request that names a stored secret. */
export const secretChoice = {
  name: IdText.min(1).describe("The id or name of the secret"),
  ...ownerFields,
};
export const tenantInQuery = flagInQuery.describe(TENANT);
export const tenantOfLookUp = flagInQuery.describe(
  "true: only the secret of the whole tenant; default: the one of the project, or else of the tenant",
);

export interface SecretChoice {
  name: string;
  mode?: "test" | "live" | undefined;
  project?: string | undefined;
  tenant?: boolean | undefined;
}

const VERSION_MAX = 2_147_483_647;

/** A number of a version as text in a query string. */
export const versionInQuery = z
  .preprocess(
    (value: unknown) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
    z.int().min(1).max(VERSION_MAX),
  )
  .optional();
