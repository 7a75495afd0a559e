import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { endable } from "../endable";
import type { ExecOptions, Execution, ExecutionExit } from "../execution";
import { encodeFrame, encodeJson, readFrames } from "./frames";
import { type RuntimeLink, unreachable } from "./runtime-link";
import type { StartProgram } from "./serve-execution";

export interface ExecuteRemotely extends ExecOptions {
  id: string;
  command: readonly string[];
}

interface Outputs {
  stdout: PassThrough;
  stderr: PassThrough;
  onExit: (exit: ExecutionExit) => void;
}

/**
 * Starts a program in a workload of another node. `exited` rejects with `unavailable` if the connection breaks, which
 * ends the program. Read both outputs, which share the connection.
 */
export async function executeRemotely(link: RuntimeLink, options: ExecuteRemotely): Promise<Execution> {
  const { id, command, stdin, env, terminal } = options;
  const input = new PassThrough();
  input.on("error", () => {});
  const start: StartProgram = { command, env, terminal };
  input.write(encodeJson("start", start));
  const response = await link.open("POST", `/workloads/${encodeURIComponent(id)}/exec`, { body: input });
  void sendInput(input, stdin);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const reported = new Promise<ExecutionExit>((resolve, reject) => {
    receive(response, { stdout, stderr, onExit: resolve }).then(() => reject(broken()), reject);
  });
  // The other end ends the program when the connection closes.
  const kill = () => {
    input.destroy();
    response.destroy();
  };
  const { exited, end } = endable(reported, { outputs: [stdout, stderr], kill });
  for (const stream of [stdout, stderr]) {
    stream.once("close", () => {
      if (stdout.destroyed && stderr.destroyed) response.destroy();
    });
  }
  const send = (frame: Buffer): void => {
    if (!input.writableEnded && !input.destroyed) input.write(frame);
  };
  return {
    stdout,
    stderr,
    exited,
    end,
    kill: (signal) => send(encodeFrame("signal", Buffer.from(signal))),
    resize: (size) => send(encodeJson("resize", size)),
  };
}

const broken = (): Error => unreachable(new Error("The connection ended before the program."));

/** Resolves when the other end has sent everything. Rejects, and destroys the outputs, if it does not. */
async function receive(response: IncomingMessage, { stdout, stderr, onExit }: Outputs): Promise<void> {
  let hasExited = false;
  try {
    for await (const { type, payload } of readFrames(response)) {
      if (type === "exit") {
        hasExited = true;
        onExit(JSON.parse(payload.toString("utf8")) as ExecutionExit);
      } else await write(type === "stderr" ? stderr : stdout, payload);
    }
    if (!hasExited) throw broken();
    stdout.end();
    stderr.end();
  } catch (cause) {
    const failure = unreachable(cause);
    for (const stream of [stdout, stderr]) {
      stream.on("error", () => {});
      stream.destroy(failure);
    }
    throw failure;
  }
}

/** Waits while the stream is full; drops output after the stream was destroyed. */
async function write(stream: PassThrough, payload: Buffer): Promise<void> {
  if (stream.destroyed || stream.write(payload)) return;
  await Promise.race([once(stream, "drain"), once(stream, "close")]);
}

/** Leaves the stream open for signals. */
async function sendInput(input: PassThrough, stdin: Readable | undefined): Promise<void> {
  try {
    for await (const chunk of stdin ?? []) {
      if (input.destroyed) break;
      if (!input.write(encodeFrame("stdin", Buffer.from(chunk as Buffer | string))))
        await Promise.race([once(input, "drain"), once(input, "close")]);
    }
  } catch {
    // Input that fails ends; the program decides what that means.
  }
  stdin?.destroy();
  if (!input.destroyed) input.write(encodeFrame("stdinEnd"));
}
