import { z } from "zod";
import { SecretRef } from "../../data/secrets/resolve-secret";

const VARIABLES_MAX = 100;
const ENV_BYTES_MAX = 64 * 1024;

/** The variables of code, by name. */
export const CodeEnv = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "expected a name of letters, digits and _"),
    z.union([z.string(), SecretRef]),
  )
  .refine((env) => Object.keys(env).length <= VARIABLES_MAX, `expected at most ${VARIABLES_MAX} variables`)
  .refine((env) => Buffer.byteLength(JSON.stringify(env)) <= ENV_BYTES_MAX, "expected at most 64 KiB in all");
export type CodeEnv = z.infer<typeof CodeEnv>;
