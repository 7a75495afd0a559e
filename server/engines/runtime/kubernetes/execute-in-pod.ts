import { PassThrough, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Exec, V1Status } from "@kubernetes/client-node";
import { pause } from "../../../kernel/pause";
import { withTimeout } from "../../../kernel/with-timeout";
import { endable } from "../endable";
import type { Execution, ExecutionExit, TerminalSize } from "../execution";
import { RuntimeError } from "../runtime";
import { exitOf } from "./exit-of";

export interface ExecuteInPod {
  exec: Pick<Exec, "exec">;
  namespace: string;
  pod: string;
  container: string;
  command: readonly string[];
  stdin?: Readable | undefined;
  terminal?: TerminalSize | undefined;
}

/** The engine of the node reports a program that does not exist by then; longer ones have begun. */
const START_MS = 1000;
const CONNECT_MS = 10_000;
const UNSENT_BYTES_MAX = 256 * 1024;
const UNSENT_POLL_MS = 20;

/** undefined: the connection ended first. */
type Report = V1Status | undefined;

/**
 * Starts a program in a container, through a WebSocket of the API server. Rejects with `start_failed` if the program does
 * not exist, and with the error of the connection. Kubernetes has no call that ends such a program: `kill` and `end` close
 * the connection, which ends a program with a terminal, and others when they next use their input or output.
 */
export async function executeInPod(options: ExecuteInPod): Promise<Execution> {
  const stdout = options.terminal ? sized(options.terminal) : new PassThrough();
  const stderr = new PassThrough();
  for (const output of [stdout, stderr]) output.on("error", () => undefined);
  const { reported, close } = await connect(options, stdout, stderr);
  let killedBy: NodeJS.Signals | undefined;
  const reportedEnd = reported.then((report): ExecutionExit => {
    if (!stdout.writableEnded) stdout.end();
    if (!stderr.writableEnded) stderr.end();
    return killedBy ? { exitCode: null, signal: killedBy } : endOf(report);
  });
  const begun = new AbortController();
  stdout.once("readable", () => begun.abort());
  const waited = pause(START_MS, begun.signal).then(() => undefined);
  const failure = startFailure(await Promise.race([reported, waited]));
  begun.abort();
  if (failure) throw failure;
  const kill = (signal: NodeJS.Signals): void => {
    killedBy ??= signal;
    close();
  };
  const resize = (size: TerminalSize): void => {
    if (options.terminal) Object.assign(stdout, size).emit("resize");
  };
  const { exited, end } = endable(reportedEnd, { outputs: [stdout, stderr], kill: () => kill("SIGKILL") });
  return { stdout, stderr, exited, end, kill, resize };
}

async function connect({ exec, ...call }: ExecuteInPod, stdout: PassThrough, stderr: PassThrough) {
  let report: (report: Report) => void = () => {};
  const reported = new Promise<Report>((resolve) => {
    report = resolve;
  });
  const stdin = call.stdin && new PassThrough();
  call.stdin?.on("error", () => report(undefined));
  const connecting = exec.exec(
    call.namespace,
    call.pod,
    call.container,
    [...call.command],
    stdout,
    call.terminal ? null : stderr,
    stdin ?? null,
    call.terminal !== undefined,
    report,
  );
  const socket = await withTimeout(CONNECT_MS, connecting, () => new Error("the API server did not respond in time"));
  if (call.stdin && stdin) void passInput(call.stdin, { target: stdin, socket });
  readNoFaster(socket, [stdout, stderr]);
  socket.onclose = () => report(undefined);
  socket.onerror = () => report(undefined);
  const close = (): void => {
    socket.close();
    report(undefined);
  };
  return { reported, close };
}

type Connection = Awaited<ReturnType<Exec["exec"]>>;

/** The client of Kubernetes writes to a stream that is full, too; the connection is not read until it has drained. */
function readNoFaster(socket: Connection, outputs: readonly PassThrough[]): void {
  const isFull = () => outputs.some((output) => output.writableNeedDrain && !output.destroyed);
  const adapt = () => (isFull() ? socket.pause() : socket.resume());
  socket.addEventListener("message", adapt);
  for (const output of outputs) output.on("drain", adapt).on("close", adapt);
}

/** The client of Kubernetes does not wait until data is sent; it gets no more while too much is waiting. */
async function passInput(
  source: Readable,
  { target, socket }: { target: PassThrough; socket: Connection },
): Promise<void> {
  try {
    for await (const chunk of source) {
      target.write(chunk);
      while (socket.bufferedAmount > UNSENT_BYTES_MAX && socket.readyState === socket.OPEN) await sleep(UNSENT_POLL_MS);
    }
    target.end();
  } catch {
    // The input has failed, which ends the program.
  }
}

/** The client sends the size of a stream that looks like a terminal. */
const sized = ({ columns, rows }: TerminalSize): PassThrough => Object.assign(new PassThrough(), { columns, rows });

function endOf(report: Report): ExecutionExit {
  if (report?.status === "Success") return { exitCode: 0, signal: null };
  const code = exitCodeOf(report);
  // The connection ends without a report when the workload ends.
  return code === undefined ? { exitCode: null, signal: "SIGKILL" } : exitOf(code, undefined);
}

function startFailure(report: Report): RuntimeError | undefined {
  if (!report || report.status === "Success" || exitCodeOf(report) !== undefined) return undefined;
  const why = (report.message ?? "the node gave no reason").slice(0, 300).replace(/\.$/, "");
  return new RuntimeError("start_failed", `The program did not start: ${why}.`);
}

function exitCodeOf(report: Report): number | undefined {
  const text = report?.details?.causes?.find(({ reason }) => reason === "ExitCode")?.message;
  return text === undefined ? undefined : Number(text);
}
