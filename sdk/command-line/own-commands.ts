import { CHAT_COMMAND } from "./chat/chat-command";
import type { CommandSyntax } from "./command-syntax";
import { EDGE_COMMANDS } from "./edge/edge-commands";
import { FUNCTION_COMMANDS } from "./functions/function-commands";
import { MCP_COMMANDS } from "./mcp/mcp-commands";
import { POD_COMMANDS } from "./pods/pod-commands";
import { SANDBOX_COMMANDS } from "./sandboxes/sandbox-commands";
import { SECRET_COMMANDS } from "./secrets/secret-commands";
import { STORAGE_COMMANDS } from "./storage/storage-commands";
import { WORKSPACE_COMMANDS } from "./workspaces/workspace-commands";

const LISTEN: CommandSyntax = {
  noun: "webhooks",
  verb: "listen",
  summary: "Forward events to a program on this computer, as a webhook would",
  scope: "webhooks:read",
  details: [
    "Events are requested from svc every second, from now on, and posted to the URL one after the other in the order in which they happened, with the headers and the signature of a webhook. No webhook has to exist, and no port has to be open. Each event is sent once: unlike a webhook, nothing is retried.",
    "The events are those that the key may see: of its mode, and of its project or the whole tenant. Ctrl-C ends it.",
  ],
  fields: [
    {
      name: "forward",
      in: "body",
      kind: "string",
      required: true,
      description: "Where to post events: localhost:4000/path, or a whole URL",
      example: "localhost:4000/webhooks",
    },
    {
      name: "events",
      in: "body",
      kind: "list",
      description: "Only these kinds, or prefixes such as campaign.*. Default: all; svc event-kinds list shows them",
    },
    {
      name: "secret",
      in: "body",
      kind: "string",
      description:
        "- to read the signing secret (whsec_…) from the prompt or standard input. Default: a new one, printed at the start",
    },
  ],
  flags: [
    { name: "print-json", kind: "boolean", description: "Print each event as a line of JSON on standard output" },
    {
      name: "allow-remote",
      kind: "boolean",
      description: "Allow --forward to name another computer, such as the host of a container",
    },
  ],
  example: "svc webhooks listen --forward localhost:4000/webhooks --events 'campaign.*,queue.created'",
};

/** A command that fails at once must not use up all receives of a message within a second. */
export const RETRY_DELAY_SECONDS = 10;

const CONSUME: CommandSyntax = {
  noun: "queues",
  verb: "consume",
  summary: "Run a command for each message of a queue, and acknowledge it on success",
  scope: "queues:write",
  details: [
    "The command is started without a shell, with the message's body on its standard input (JSON, or the string itself) and SVC_MESSAGE_ID, SVC_GROUP_ID, SVC_RECEIVE_COUNT and SVC_SENT_AT in its environment. Exit status 0 acknowledges the message; anything else returns it to the queue. While the command runs, the message stays invisible to others.",
    "Messages of one group run one at a time, in their order. A message can arrive again, for example after a crash: the command must tolerate that. Ctrl-C lets running commands finish and returns all other messages; a second one ends the commands.",
  ],
  fields: [
    { name: "queue", in: "path", kind: "string", required: true },
    {
      name: "concurrency",
      in: "body",
      kind: "integer",
      minimum: 1,
      maximum: 100,
      default: 1,
      description: "How many commands run at a time",
    },
    {
      name: "max_messages",
      in: "body",
      kind: "integer",
      minimum: 1,
      maximum: 100,
      description:
        "How many messages to receive at a time; some then wait for a running command. Default: the value of --concurrency",
    },
    {
      name: "retry_delay",
      in: "body",
      kind: "integer",
      minimum: 0,
      maximum: 900,
      default: RETRY_DELAY_SECONDS,
      description: "Seconds until a message whose command failed can be received again",
    },
  ],
  flags: [
    { name: "once", kind: "boolean", description: "End when the queue is empty, with status 1 if a command failed" },
    { name: "quiet", kind: "boolean", description: "Print nothing for messages that were acknowledged" },
  ],
  runsProgram: true,
  example: "svc queues consume orders --concurrency 4 -- node handle-order.js",
};

/** Commands that are not one operation: they call several, or read and print in another way. */
export const OWN_COMMANDS: readonly CommandSyntax[] = [
  CONSUME,
  LISTEN,
  CHAT_COMMAND,
  ...STORAGE_COMMANDS,
  ...SECRET_COMMANDS,
  ...FUNCTION_COMMANDS,
  ...EDGE_COMMANDS,
  ...POD_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...WORKSPACE_COMMANDS,
  ...MCP_COMMANDS,
];
