import { chat } from "./chat/chat";
import type { CommandSyntax } from "./command";
import { consume } from "./consume";
import { deployEdgeFunction } from "./edge/deploy";
import { edgeLogs } from "./edge/logs";
import { EXIT } from "./errors";
import { deployFunction } from "./functions/deploy";
import type { Io } from "./io";
import { listen } from "./listen";
import { callTool, listTools } from "./mcp/mcp";
import { serveStdio } from "./mcp/serve";
import { podLogs } from "./pods/logs";
import { shellIn } from "./pods/shell";
import { podWatch } from "./pods/watch";
import { execIn } from "./programs/exec-program";
import { type Arguments, readArguments } from "./read-arguments";
import { runSandbox } from "./sandboxes/run-sandbox";
import { putSecret, revealSecret } from "./secrets/secrets";
import { copy } from "./storage/copy";
import { list } from "./storage/list";
import { presign } from "./storage/presign";
import { remove } from "./storage/remove";
import { sync } from "./storage/sync";
import { commandUsage } from "./usage";
import { openWorkspace } from "./workspaces/open-workspace";

const PROGRAMS: Readonly<Record<string, (read: Arguments, io: Io) => Promise<number>>> = {
  "chat ": chat,
  "edge deploy": deployEdgeFunction,
  "edge logs": edgeLogs,
  "functions deploy": deployFunction,
  "mcp call": callTool,
  "mcp serve": serveStdio,
  "mcp tools": listTools,
  "pods logs": podLogs,
  "pods exec": execIn("execPod"),
  "pods shell": shellIn("pods"),
  "pods watch": podWatch,
  "queues consume": consume,
  "sandboxes exec": execIn("execSandbox"),
  "sandboxes run": runSandbox,
  "secrets put": putSecret,
  "secrets reveal": revealSecret,
  "storage cp": copy,
  "storage ls": list,
  "storage presign": presign,
  "storage rm": remove,
  "storage sync": sync,
  "webhooks listen": listen,
  "workspaces exec": execIn("execWorkspace"),
  "workspaces open": openWorkspace,
  "workspaces shell": shellIn("workspaces"),
};

/** Runs a command that is not one operation. */
export async function runOwnCommand(command: CommandSyntax, argv: readonly string[], io: Io): Promise<number> {
  const read = readArguments(command, argv);
  if (read.flags.help) {
    io.stdout.write(commandUsage(command));
    return EXIT.ok;
  }
  const program = PROGRAMS[`${command.noun} ${command.verb}`];
  if (!program) throw new Error(`${command.noun} ${command.verb} has no program.`);
  return program(read, io);
}
