import { parentPort } from "node:worker_threads";
import { lowerThreadPriority } from "../../../kernel/lower-thread-priority";
import { type Bytes, LocalCoder } from "./coder";
import type { FromCoderThread, ToCoderThread } from "./coder-messages";

// The thread of a conversion (see coder-thread.ts).

const coder = new LocalCoder();

lowerThreadPriority();
parentPort?.on("message", async (message: ToCoderThread) => {
  const result = await run(message);
  const moved = result instanceof Uint8Array ? [result.buffer] : [];
  parentPort?.postMessage(result, moved);
});

function run(message: ToCoderThread): Promise<FromCoderThread> {
  if (message.call === "endShard") return coder.endShard();
  if (message.call === "convert") return coder.convert(message.bytes, message);
  return voided(message.call === "skip" ? coder.skip(message.bytes) : coder.add(message.bytes));
}

const voided = async (work: Promise<void>): Promise<Bytes | undefined> => {
  await work;
  return undefined;
};
