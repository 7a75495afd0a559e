import { z } from "zod";
import type { FunctionVersion as VersionRow } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";

export const FunctionVersion = z
  .object({
    version: z.int(),
    handler: z.string().describe("The name of the export that is called"),
    code_bytes: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "FunctionVersion" });
export type FunctionVersion = z.infer<typeof FunctionVersion>;

export const FunctionVersionWithCode = FunctionVersion.extend({ code: z.string() }).meta({
  id: "FunctionVersionWithCode",
});

export const toVersion = ({ number, entry, code, createdAt }: Omit<VersionRow, "functionId">): FunctionVersion => ({
  version: number,
  handler: entry,
  code_bytes: Buffer.byteLength(code),
  created_at: createdAt.toISOString(),
});

export const noSuchVersion = (version: number): ServiceError =>
  new ServiceError("not_found", `The function has no version ${version}; GET …/versions lists those that are kept.`, {
    param: "version",
  });
