import path from "node:path";
import type { Program } from "../programs/program";
import type { StartProgram } from "../programs/program-starter";
import { runProgram } from "../programs/run-program";
import { startProgram } from "../programs/start-program";

/** Starts a script with Perl; `scripts` is its folder. */
export const startScript = (
  scripts: string,
  [name, ...args]: readonly [string, ...string[]],
  descriptors: StartProgram["descriptors"],
): Promise<Program> => startProgram({ program: "perl", args: [path.join(scripts, name), ...args], descriptors });

/** As `runProgram`. */
export const runScript = (
  scripts: string,
  [name, ...args]: readonly [string, ...string[]],
  input: string | Buffer,
): Promise<Buffer> => runProgram("perl", [path.join(scripts, name), ...args], input);
