import { z } from "zod";

/** Names of default buckets; reserved, so that nobody can take the name of another project's default bucket. */
export const DEFAULT_PREFIX = "default-";

/** The naming rules of Amazon S3, and one of ours; the first that a name breaks is named in the error. */
const RULES: readonly [(name: string) => boolean, string][] = [
  [(name) => name.length >= 3 && name.length <= 63, "expected 3 to 63 characters"],
  [(name) => /^[a-z0-9.-]*$/.test(name), "expected only lower-case letters, digits, hyphens and dots"],
  [(name) => /^[a-z0-9]/.test(name) && /[a-z0-9]$/.test(name), "must begin and end with a letter or a digit"],
  [(name) => !/\.\.|\.-|-\./.test(name), "must not have two dots, or a dot beside a hyphen"],
  [(name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name), "must not look like an IP address"],
  [
    (name) => !/^(?:xn--|sthree-|amzn-s3-demo-)/.test(name),
    'must not begin with "xn--", "sthree-" or "amzn-s3-demo-", which S3 reserves',
  ],
  [
    (name) => !/(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(name),
    'must not end with "-s3alias", "--ol-s3", ".mrap", "--x-s3" or "--table-s3", which S3 reserves',
  ],
  [(name) => !name.startsWith(DEFAULT_PREFIX), 'must not begin with "default-", as default buckets do'],
];

/** What is wrong with a bucket's name, as the end of a sentence; undefined for a valid name. */
export const nameFault = (name: string): string | undefined => RULES.find(([holds]) => !holds(name))?.[1];

export const BucketName = z
  .string()
  .max(1000)
  .refine((name) => nameFault(name) === undefined, { error: ({ input }) => nameFault(String(input)) ?? "" })
  .meta({ pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$" })
  .describe(
    "Unique in this installation, by the rules of S3: 3 to 63 lower-case letters, digits, hyphens and dots, beginning and ending with a letter or digit",
  );
