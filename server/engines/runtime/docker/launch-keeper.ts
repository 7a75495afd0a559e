import path from "node:path";
import { launchScript } from "../launch-script";
import { logFields } from "../launch-supervisor";
import { OUTBOUND_FROM_WORKLOAD, PROXY_PORT } from "../network/proxy-port";
import type { ContainerFolder, ContainerNotes } from "./container-folder";

export interface LaunchKeeper {
  /** The folder of `keep-container.pl`. */
  scripts: string;
  socketPath: string;
  folder: ContainerFolder;
  notes: ContainerNotes;
  /** False: only takes the output of a container that runs. */
  starts: boolean;
}

const START_TIMEOUT_MS = 60_000;

/**
 * Starts the keeper of a container's output, which survives this process; it starts the container when it receives its
 * output, and this resolves when the program runs. Throws `start_failed` with the engine's sentence.
 */
export async function launchKeeper({ scripts, socketPath, folder, notes, starts }: LaunchKeeper): Promise<void> {
  await launchScript({
    scripts,
    name: "keep-container.pl",
    timeoutMs: START_TIMEOUT_MS,
    logFile: folder.file("keeper.log"),
    logFlags: "a",
    silentFailure: "the keeper of its output failed",
    fields: [
      ["dir", folder.dir],
      ["socket", socketPath],
      ["container", notes.container],
      ...logFields(notes.logBytesMax),
      ["starts", starts ? "1" : ""],
      ...(notes.network === "http" ? networkOf(folder) : []),
    ],
  });
}

const networkOf = ({ dir }: ContainerFolder): [string, string][] => [
  ["id", path.basename(dir)],
  ["proxy", String(PROXY_PORT)],
  ["outbound", OUTBOUND_FROM_WORKLOAD],
];
