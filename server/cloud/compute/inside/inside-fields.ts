import { z } from "zod";
import { INPUT_LIMITS } from "../../../kernel/bounded-input";
import { FILE_BYTES_MAX } from "./run-inside";

const PATH_BYTES_MAX = 4096;
/** Of a file of the largest size in Base64, and the other fields. */
const BODY_BYTES_MAX = Math.ceil((FILE_BYTES_MAX * 4) / 3) + 64 * 1024;

/** The limits of a body that has the content of a file. */
export const FILE_INPUT_LIMITS = { ...INPUT_LIMITS, bytes: BODY_BYTES_MAX };

export const filePath = z
  .string()
  .startsWith("/", "expected an absolute path, such as /tmp/result.json")
  .refine((path) => !path.includes("\0") && Buffer.byteLength(path) <= PATH_BYTES_MAX, "expected at most 4096 bytes")
  .describe("An absolute path inside");

/** What a file is to contain. */
export const contentFields = {
  path: filePath,
  content: z.string().describe("What the file contains then"),
  encoding: z
    .enum(["utf8", "base64"])
    .default("utf8")
    .describe("How `content` is encoded: `base64` for bytes that are no text"),
};

export const InsideFile = z.object({
  path: z.string(),
  size: z.int().describe("In bytes"),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]).describe("`base64` for a file that is no text in UTF-8"),
});

export const WrittenFile = z.object({ path: z.string(), size: z.int().describe("In bytes") });

const ListedFile = z.object({
  name: z.string(),
  type: z.enum(["file", "folder", "link", "other"]),
  size: z.int().describe("In bytes"),
});
export type ListedFile = z.output<typeof ListedFile>;

export const InsideFolder = z.object({
  data: z.array(ListedFile),
  truncated: z.boolean(),
  left_out: z
    .int()
    .describe("How many files are not in `data` because their names are not UTF-8; use `ls` and `mv` inside"),
});
