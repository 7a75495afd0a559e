import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { IdText, NameText } from "../../../identity/wire-text";
import { podFields } from "../pod-requests/pod-fields";

/** An image with code-server, of its authors. */
const IMAGE = "codercom/code-server:latest";
const IDLE_SECONDS = 3600;
const IDLE_SECONDS_MIN = 60;
const IDLE_SECONDS_MAX = 7 * 24 * 3600;
const DISK_GB = 10;
const DISK_GB_MAX = 1024;

/** What a client says about a new workspace. */
export const workspaceFields = {
  name: NameText.describe("For people"),
  image: podFields.image
    .default(IMAGE)
    .describe(
      `Where its programs come from; default: ${IMAGE}. The image needs \`/bin/sh\`, \`sleep\`, \`cat\`, \`ls\`, \`mkdir\`, \`mv\` and \`rm\`; with \`code-server\` on its PATH, that is the editor`,
    ),
  cpu: podFields.cpu.default(1).describe("The most CPU cores that it can use"),
  memory_mb: podFields.memory_mb.default(2048),
  disk_gb: z
    .int()
    .min(1)
    .max(DISK_GB_MAX)
    .default(DISK_GB)
    .describe(`The size of its disk at /workspace: 1 to ${DISK_GB_MAX} GiB, default ${DISK_GB}`),
  idle_timeout_seconds: z
    .int()
    .refine((seconds) => seconds === 0 || (seconds >= IDLE_SECONDS_MIN && seconds <= IDLE_SECONDS_MAX), {
      error: `expected 0 or ${IDLE_SECONDS_MIN} to ${IDLE_SECONDS_MAX}`,
    })
    .default(IDLE_SECONDS)
    .describe(
      `It is stopped when for so long no request used its files, programs, terminals or editor: ${IDLE_SECONDS_MIN} to ${IDLE_SECONDS_MAX} seconds, default ${IDLE_SECONDS}; 0: never`,
    ),
  ...ownerFields,
};

export const workspaceChoice = { id: IdText.min(1).describe("The id of the workspace") };
