import { z } from "zod";
import type { S3Settings } from "./engines/objects/s3-client";

const share = { error: "expected a number above 0 and up to 1, such as 0.95" };
const endpoint = {
  error: "expected a URL that begins with http:// or https://, without a user name, password, query or fragment",
};

/** The variables of object storage. */
export const objectStoreVariables = {
  SVC_OBJECTS_DISK_SHARE: z.coerce.number(share).gt(0, share).max(1, share).default(0.95),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, ...endpoint })
    .refine(isPlain, endpoint)
    .optional(),
  S3_REGION: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: z.enum(["on", "off"]).optional(),
};

type Variables = z.output<z.ZodObject<typeof objectStoreVariables>>;

/** The settings of object storage. Throws an error of one sentence if variables that belong together are incomplete. */
export function objectStoreOf(e: Variables): { objectsDiskShare: number; s3: S3Settings | undefined } {
  const objectsDiskShare = e.SVC_OBJECTS_DISK_SHARE;
  const { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secret } = e;
  const needed = {
    S3_ENDPOINT: url,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secret,
  };
  const others = { S3_REGION: e.S3_REGION, S3_FORCE_PATH_STYLE: e.S3_FORCE_PATH_STYLE };
  if (Object.values({ ...needed, ...others }).every((value) => value === undefined))
    return { objectsDiskShare, s3: undefined };
  if (url === undefined || bucket === undefined || accessKeyId === undefined || secret === undefined) {
    const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new Error(
      `S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set ${missing.join(", ")} too, or leave all variables that begin with S3_ out to store objects in the data directory.`,
    );
  }
  const s3 = {
    endpoint: url,
    region: e.S3_REGION ?? "us-east-1",
    bucket,
    accessKeyId,
    secretAccessKey: secret,
    forcePathStyle: e.S3_FORCE_PATH_STYLE !== "off",
  };
  return { objectsDiskShare, s3 };
}

function isPlain(text: string): boolean {
  // Texts that are not a URL already fail the check of the scheme.
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/[?#]/.test(text);
}
