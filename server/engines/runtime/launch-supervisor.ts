import { launchScript } from "./launch-script";

const START_TIMEOUT_MS = 30_000;
export const LOG_BYTES_DEFAULT = 16 * 1024 * 1024;
/** The output is deleted by segments. */
const LOG_SEGMENTS = 8;

/** The fields of the scripts that keep the output of a workload, of which at most `bytesMax` are kept. */
export const logFields = (bytesMax: number): [string, string][] => [
  ["segment", String(Math.floor(bytesMax / LOG_SEGMENTS))],
  ["segments", String(LOG_SEGMENTS)],
];

export interface LaunchSupervisor {
  /** The folder of `supervise.pl`. */
  scripts: string;
  folder: { dir: string; file(name: "supervisor.log"): string };
  logBytesMax?: number | undefined;
  /** Those of the kind of workload. */
  fields: readonly (readonly [string, string])[];
}

/**
 * Starts the supervisor of a workload, which survives this process; resolves when the program runs. Throws
 * `start_failed` with its sentence.
 */
export const launchSupervisor = ({ scripts, folder, fields, logBytesMax = LOG_BYTES_DEFAULT }: LaunchSupervisor) =>
  launchScript({
    scripts,
    name: "supervise.pl",
    fields: [["dir", folder.dir], ...logFields(logBytesMax), ...fields],
    timeoutMs: START_TIMEOUT_MS,
    logFile: folder.file("supervisor.log"),
    logFlags: "w",
    silentFailure: "its supervisor failed",
  });
