import type { Readable } from "node:stream";
import { startProgram } from "./start-program";

/** What a program prints can depend on the files of workloads. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Resolves to the standard output of a program; rejects with its standard error if it fails, and for an output above
 * 64 MiB.
 */
export async function runProgram(program: string, args: readonly string[], input?: string | Buffer): Promise<Buffer> {
  const stdin = input === undefined ? "none" : "input";
  const started = await startProgram({ program, args, descriptors: [stdin, "output", "output"] });
  let bytes = 0;
  const contentOf = async (stream: Readable): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) started.kill("SIGKILL");
      else chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  if (input !== undefined) started.input(0).end(input);
  const outputs = Promise.all([contentOf(started.output(1)), contentOf(started.output(2))]);
  const [[output, errors], { exitCode }] = await Promise.all([outputs, started.exited]);
  if (bytes > OUTPUT_BYTES_MAX) throw new Error(`${program} prints more than ${OUTPUT_BYTES_MAX} bytes`);
  if (exitCode === 0) return output;
  throw new Error(errors.toString("utf8").slice(0, 1000).trim() || `${program} failed`);
}
