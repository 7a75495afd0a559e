import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import type { Execution, TerminalSize } from "../execution";
import type { Runtime } from "../runtime";
import { encodeFrame, encodeJson, type Frame, readFrames } from "./frames";

/** The payload of the frame `start`. */
export interface StartProgram {
  command: readonly string[];
  env?: Readonly<Record<string, string>> | undefined;
  terminal?: TerminalSize | undefined;
}

interface Connection {
  id: string;
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Executes the program of the first frame, with input from the frames after it, and sends its output as frames. Rejects
 * before anything is sent if it does not start. It is ended when the caller disconnects.
 */
export async function serveExecution(
  runtime: Pick<Runtime, "exec">,
  { id, request, response }: Connection,
): Promise<void> {
  const frames = readFrames(request);
  const first = (await frames.next()).value as Frame | undefined;
  if (first?.type !== "start") throw new Error("The first frame must be start.");
  const { command, ...options } = JSON.parse(first.payload.toString("utf8")) as StartProgram;
  const stdin = new PassThrough();
  const execution = await runtime.exec(id, command, { ...options, stdin });
  const end = () => {
    stdin.destroy();
    execution.end();
  };
  response.once("close", end);
  if (response.destroyed) return end();
  response.writeHead(200, { "content-type": "application/octet-stream" });
  response.flushHeaders();
  const passed = passInput(frames, { execution, stdin }).catch(() => response.destroy());
  const exited = execution.exited.then((exit) => response.write(encodeJson("exit", exit)));
  await Promise.all([exited, send(response, "stdout", execution.stdout), send(response, "stderr", execution.stderr)]);
  response.end();
  stdin.destroy();
  await passed;
}

async function passInput(
  frames: AsyncGenerator<Frame>,
  { execution, stdin }: { execution: Execution; stdin: PassThrough },
): Promise<void> {
  for await (const { type, payload } of frames) {
    if (type === "stdin" && !stdin.destroyed) {
      if (!stdin.write(payload)) await Promise.race([once(stdin, "drain"), once(stdin, "close")]);
    } else if (type === "stdinEnd") stdin.end();
    else if (type === "resize") execution.resize(JSON.parse(payload.toString("utf8")) as TerminalSize);
    else if (type === "signal") execution.kill(payload.toString("utf8") as NodeJS.Signals);
  }
}

async function send(response: ServerResponse, type: "stdout" | "stderr", source: Readable): Promise<void> {
  try {
    for await (const chunk of source) {
      const isFull = !response.write(encodeFrame(type, chunk as Buffer));
      if (isFull && !response.destroyed) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
  } catch {
    // A stream that is destroyed while it is read fails.
  }
}
