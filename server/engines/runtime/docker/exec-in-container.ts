import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type Duplex, PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pause } from "../../../kernel/pause";
import { processMark } from "../../file-lock.mjs";
import { endable } from "../endable";
import type { ExecOptions, Execution, ExecutionExit, TerminalSize } from "../execution";
import { EXECUTION_MARK } from "../execution-mark";
import { endAfterExit } from "../kept-output";
import { latestOnly } from "../latest-only";
import { endProcesses } from "../process/workload-processes";
import { RuntimeError } from "../runtime";
import { signalGroup } from "../signal-group";
import { boundedSize } from "../terminal-size";
import { exitOfCode } from "./container-state";
import { type EngineClient, EngineError } from "./engine-client";
import { ReadFrames } from "./read-frames";

export interface ExecInContainer extends ExecOptions {
  engine: EngineClient;
  container: string;
  command: readonly string[];
}

interface InspectedExec {
  Running: boolean;
  ExitCode: number | null;
  Pid: number;
}

/** What a terminal turns into the end of input. */
const END_OF_INPUT = "\x04";
const POLL_MS = 10;
const SLOW_POLL_MS = 100;
/** A program that ends at once may leave another one that keeps its output open. */
const START_MS_MAX = 2000;
/** For the sentence of an engine that could not run a program, which has ended by then. */
const SENTENCE_MS = 250;
/** Exit codes of an engine that could not run a program; a shell uses them for its own. */
const NOT_RUN = new Set([126, 127, 255]);
const ENGINE_SENTENCE = /^(Error: )?(OCI runtime|crun|runc|container_linux\.go|exec failed)[: ]/;
const SENTENCE_BYTES_MAX = 1000;

/**
 * Starts a further program in a running container. Throws `start_failed` and `not_running`. `end` needs the rights to
 * signal the processes of the container.
 */
export async function execInContainer(asked: ExecInContainer): Promise<Execution> {
  const mark = randomUUID();
  const options = { ...asked, env: { ...asked.env, [EXECUTION_MARK]: mark } };
  const { engine, command } = options;
  if ([...command, ...Object.entries(options.env ?? {}).flat()].some((text) => text.includes("\0"))) {
    throw startFailed("no text may contain a NUL character");
  }
  try {
    const id = await createExec(options);
    const { socket, head } = await engine.hijack(`/exec/${id}/start`, startOf(options));
    const streams = outputOf(socket, { head, isTerminal: options.terminal !== undefined });
    feed(socket, options);
    const started = await untilStarted(engine, id, streams);
    const failure = started.Running ? undefined : await failureOf(started, streams);
    if (failure !== undefined) throw startFailed(failure);
    return executionOf(engine, { id, started, isTerminal: options.terminal !== undefined, mark, socket, ...streams });
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    if (cause.status === 404 || cause.status === 409)
      throw new RuntimeError("not_running", "The workload does not run.");
    throw startFailed(cause.message);
  }
}

async function createExec({ engine, container, command, env = {}, terminal }: ExecInContainer): Promise<string> {
  const body = {
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: terminal !== undefined,
    Cmd: command,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(terminal && { ConsoleSize: [terminal.rows, terminal.columns] }),
  };
  const { Id } = await engine.json<{ Id: string }>({ path: `/containers/${container}/exec`, method: "POST", body });
  return Id;
}

/** Docker takes the size of a terminal as `ConsoleSize`, Podman as `h` and `w`. */
function startOf({ terminal }: ExecInContainer): object {
  if (!terminal) return { Detach: false, Tty: false };
  const { columns, rows } = boundedSize(terminal);
  return { Detach: false, Tty: true, ConsoleSize: [rows, columns], h: rows, w: columns };
}

interface Streams {
  stdout: PassThrough;
  stderr: PassThrough;
}

/** A terminal has one stream of output; otherwise the engine sends frames of two. */
function outputOf(socket: Duplex, { head, isTerminal }: { head: Buffer; isTerminal: boolean }): Streams {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const end = () => {
    stdout.end();
    stderr.end();
  };
  socket.on("error", end).on("close", end);
  for (const output of [stdout, stderr]) output.on("error", () => undefined);
  if (head.length > 0) socket.unshift(head);
  if (isTerminal) socket.pipe(stdout);
  else socket.pipe(new ReadFrames({ stdout, stderr })).on("finish", end);
  return { stdout, stderr };
}

function feed(socket: Duplex, { stdin, terminal }: ExecOptions): void {
  if (terminal) {
    stdin?.on("end", () => socket.write(END_OF_INPUT)).pipe(socket, { end: false });
  } else if (stdin) stdin.on("error", () => socket.end()).pipe(socket);
  else socket.end();
}

/** Before its start a program looks like one that has ended with 0; only its output has not ended. */
async function untilStarted(engine: EngineClient, id: string, { stdout }: Streams): Promise<InspectedExec> {
  for (const begin = performance.now(); ; await sleep(POLL_MS)) {
    const hasEnded = stdout.writableEnded || performance.now() - begin > START_MS_MAX;
    const found = await engine.json<InspectedExec>({ path: `/exec/${id}/json` });
    const isOver = !found.Running && found.ExitCode !== null && found.Pid === 0;
    if ((found.Running && found.Pid > 0) || (isOver && hasEnded)) return found;
  }
}

/** What an engine printed in place of the program; undefined if the program has run. */
async function failureOf({ ExitCode }: InspectedExec, streams: Streams): Promise<string | undefined> {
  if (!NOT_RUN.has(ExitCode ?? 0)) return undefined;
  for (const stream of [streams.stderr, streams.stdout]) {
    const bytes = (await firstBytes(stream)) ?? Buffer.alloc(0);
    stream.unshift(bytes);
    const sentence = bytes.toString("utf8", 0, SENTENCE_BYTES_MAX).trim();
    if (ENGINE_SENTENCE.test(sentence)) return sentence.replace(/\.$/, "");
  }
  return undefined;
}

/** A program that has ended may have left its output open without having written any. */
async function firstBytes(stream: PassThrough): Promise<Buffer | null> {
  if (stream.readableLength === 0 && !stream.readableEnded && !stream.writableEnded) {
    await Promise.race([once(stream, "readable"), sleep(SENTENCE_MS)]);
  }
  return stream.read() as Buffer | null;
}

interface StartedExec extends Streams {
  id: string;
  started: InspectedExec;
  isTerminal: boolean;
  mark: string;
  socket: Duplex;
}

function executionOf(
  engine: EngineClient,
  { id, started, isTerminal, mark, socket, stdout, stderr }: StartedExec,
): Execution {
  const outputs = [stdout, stderr];
  const first = { pid: started.Pid, mark: processMark(started.Pid) ?? "" };
  const isOver = new AbortController();
  const endAll = () => {
    socket.destroy();
    // What is not found runs on until the container ends.
    void endProcesses({ mark: `${EXECUTION_MARK}=${mark}`, first }).catch(() => undefined);
  };
  const reported = untilExited(engine, { id, started, isOver: isOver.signal });
  const { exited, end } = endable(reported, { outputs, kill: endAll });
  exited.finally(() => isOver.abort()).catch(() => undefined);
  void endAfterExit({ source: socket, outputs, exited });
  return {
    stdout,
    stderr,
    exited,
    end,
    kill: (signal) => {
      if (first.mark !== "" && processMark(first.pid) === first.mark) signalGroup(first.pid, signal);
    },
    resize: isTerminal ? latestOnly((size: TerminalSize) => resizeExec(engine, id, size)) : () => undefined,
  };
}

interface AwaitedExec {
  id: string;
  started: InspectedExec;
  isOver: AbortSignal;
}

async function untilExited(engine: EngineClient, { id, started, isOver }: AwaitedExec): Promise<ExecutionExit> {
  const killed: ExecutionExit = { exitCode: null, signal: "SIGKILL" };
  const begin = performance.now();
  for (let found = started; !isOver.aborted; ) {
    if (!found.Running && found.ExitCode !== null) return exitOfCode(found.ExitCode);
    await pause(performance.now() - begin < 1000 ? POLL_MS : SLOW_POLL_MS, isOver);
    try {
      found = await engine.json<InspectedExec>({ path: `/exec/${id}/json` });
    } catch (cause) {
      // The engine forgets it with the container.
      if (cause instanceof EngineError) return killed;
    }
  }
  return killed;
}

/** A program that has just ended has no terminal. */
async function resizeExec(engine: EngineClient, id: string, size: TerminalSize): Promise<void> {
  const { columns, rows } = boundedSize(size);
  await engine.json({ path: `/exec/${id}/resize?h=${rows}&w=${columns}`, method: "POST" }).catch(() => undefined);
}

const startFailed = (why: string): RuntimeError =>
  new RuntimeError("start_failed", `The program did not start: ${why}.`);
