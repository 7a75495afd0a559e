import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { IdText, NameText } from "../../../identity/wire-text";
import { podFields } from "../pod-requests/pod-fields";
import { stdinField } from "../pods/exec-pod";

const TIMEOUT_SECONDS = 300;
const TIMEOUT_SECONDS_MAX = 24 * 3600;
const EXEC_SECONDS = 60;

const seconds = z.int().min(1).max(TIMEOUT_SECONDS_MAX);

/** What a client says about a new sandbox. */
export const sandboxFields = {
  image: podFields.image,
  registry_credentials: z
    .strictObject(podFields.registry_credentials.shape)
    .optional()
    .describe(
      'For a private image: a username of its registry, and `{ "secret": "name" }` for the password or token, which requires the scope `secrets:reveal`',
    ),
  name: NameText.optional().describe("For people; default: made from the id"),
  command: podFields.command
    .optional()
    .describe("A program and its arguments, which run when the sandbox has started; the response has their result"),
  env: podFields.env.default({}),
  cpu: podFields.cpu.default(1).describe("The most CPU cores that the sandbox can use"),
  memory_mb: podFields.memory_mb.default(512),
  timeout_seconds: seconds
    .default(TIMEOUT_SECONDS)
    .describe(
      `When the sandbox is ended with SIGKILL, in seconds from its start: 1 to ${TIMEOUT_SECONDS_MAX}, default ${TIMEOUT_SECONDS}`,
    ),
  keep_alive: z
    .boolean()
    .default(false)
    .describe("With `command`: the sandbox stays after it. Without `command` it always does"),
  ...ownerFields,
};

export const sandboxChoice = { id: IdText.min(1).describe("The id of the sandbox") };

export const execFields = {
  command: podFields.command.describe("The program and its arguments"),
  stdin: stdinField,
  timeout_seconds: seconds
    .default(EXEC_SECONDS)
    .describe(
      `When the program is ended with SIGKILL, 1 to ${TIMEOUT_SECONDS_MAX} seconds and at most the time that the sandbox has left; default ${EXEC_SECONDS}`,
    ),
};
