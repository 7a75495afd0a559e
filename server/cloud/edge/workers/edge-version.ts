import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { CodeEnv } from "../../compute/workers/code-env";
import { Bindings } from "./edge-fields";
import { SmokeRun } from "./smoke-run";

export const EdgeVersion = z
  .object({
    version: z.int(),
    bindings: Bindings,
    env: CodeEnv,
    smoke: SmokeRun,
    code_bytes: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "EdgeVersion" });
export type EdgeVersion = z.infer<typeof EdgeVersion>;

export const EdgeVersionWithCode = EdgeVersion.extend({ code: z.string() }).meta({ id: "EdgeVersionWithCode" });

interface VersionRow {
  number: number;
  bindings: unknown;
  env: unknown;
  smoke: unknown;
  createdAt: Date;
  codeBytes: number;
}

export const toEdgeVersion = ({ number, bindings, env, smoke, codeBytes, createdAt }: VersionRow): EdgeVersion => ({
  version: number,
  bindings: bindings as EdgeVersion["bindings"],
  env: env as CodeEnv,
  smoke: smoke as SmokeRun,
  code_bytes: codeBytes,
  created_at: createdAt.toISOString(),
});

export const noSuchEdgeVersion = (version: number): ServiceError =>
  new ServiceError(
    "not_found",
    `The edge function has no version ${version}; GET …/versions lists those that are kept.`,
    { param: "version" },
  );
