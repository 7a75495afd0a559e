import os from "node:os";
import { processMark } from "../../file-lock.mjs";
import type { ProcessMark } from "../namespaces/workload-folder";
import type { Exited } from "../runtime";

/** The part of `GET /containers/<name>/json` that is used. */
export interface InspectedContainer {
  Id: string;
  State: {
    Status: string;
    Pid: number;
    ExitCode: number;
    OOMKilled: boolean;
    StartedAt: string;
    FinishedAt: string;
  };
  GraphDriver?: { Data?: { UpperDir?: string } | null } | undefined;
}

/** What is known of a container's end besides the engine's word. */
export interface EndMarks {
  /** Whether svc's keeper of its output saw the end. */
  isEndSeen: boolean;
  /** Whether the node has restarted since it was started. */
  isOtherBoot: boolean;
}

export type ContainerState =
  | { state: "created" }
  | { state: "running"; startedAt: Date; process: ProcessMark | undefined }
  | Exited;

const CREATED = new Set(["created", "configured", "initialized"]);
const ENDED = new Set(["exited", "stopped", "dead", "removing"]);
const EXIT_CODE_MAX = 255;
const SIGNAL_BASE = 128;
const SIGNALS = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]));

/** The state of a container that exists. */
export function containerState({ State: state }: InspectedContainer, marks: EndMarks): ContainerState {
  if (CREATED.has(state.Status)) return { state: "created" };
  const startedAt = new Date(state.StartedAt);
  if (ENDED.has(state.Status)) return { ...endOf(state, marks), startedAt };
  const mark = processMark(state.Pid);
  return { state: "running", startedAt, process: mark === undefined ? undefined : { pid: state.Pid, mark } };
}

function endOf(state: InspectedContainer["State"], { isEndSeen, isOtherBoot }: EndMarks): Omit<Exited, "startedAt"> {
  const { ExitCode: code, OOMKilled: oomKilled, FinishedAt } = state;
  const finishedAt = new Date(FinishedAt);
  // An end that was not recorded has the year 1.
  const exitedAt = finishedAt.getTime() > 0 ? finishedAt : new Date();
  const isLost = code < 0 || code > EXIT_CODE_MAX || (isOtherBoot && !isEndSeen);
  if (isLost) {
    return { state: "exited", exitCode: null, signal: "SIGKILL", oomKilled, exitedAt, cause: "supervisor_lost" };
  }
  return { state: "exited", ...exitOfCode(code), oomKilled, exitedAt, cause: "exit" };
}

/** Engines report that a signal ended a program as 128 and its number. */
export function exitOfCode(code: number): { exitCode: number | null; signal: NodeJS.Signals | null } {
  const name = SIGNALS.get(code - SIGNAL_BASE);
  return name === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal: name as NodeJS.Signals };
}
