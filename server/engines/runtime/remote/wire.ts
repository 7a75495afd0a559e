import type { Readable } from "node:stream";
import { type RuntimeCapabilities, RuntimeError, type RuntimeErrorReason } from "../runtime";

/** What a node says about its runtime. */
export interface RemoteCapabilities extends RuntimeCapabilities {
  /** Absent: it keeps no volumes, as agents of earlier versions. */
  volumesEnforced?: boolean;
  /** Absent: a workload has one volume, which it may write, as with agents of earlier versions. */
  mountsVolumes?: true;
  /** Absent: it has no private networks. */
  privateNetworks?: true;
  /** Absent: it does not list them, as agents of earlier versions. */
  listsNetworks?: true;
}

/** The body of a failed request. */
export interface WireError {
  reason: RuntimeErrorReason | "invalid_request" | "not_allowed" | "stale_epoch" | "failed";
  message: string;
}

/** The process that serves the runtime of a node. */
export interface AgentProcess {
  /** Of its program. */
  version: string;
  /** A new one for each process. */
  bootId: string;
}

/** Carries the epoch of the caller's claim on the node: calls of an earlier claim are rejected. */
export const EPOCH_HEADER = "svc-epoch";

export const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request: 400,
  not_allowed: 403,
  stale_epoch: 409,
  failed: 500,
};
/** Of a RuntimeError. */
export const RUNTIME_ERROR_STATUS = 422;

/** An allocation and its environment. */
const JSON_BYTES_MAX = 4 * 1024 * 1024;

/** Failures that are not for the owner of the workload are not passed on. */
export const wireErrorOf = (cause: unknown): WireError =>
  cause instanceof RuntimeError
    ? { reason: cause.reason, message: cause.message }
    : { reason: "failed", message: "The node could not carry this out; its log has the cause." };

/** Throws an Error above 4 MiB and for invalid JSON. */
export async function readJson(stream: Readable): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > JSON_BYTES_MAX) throw new Error("The body has more than 4 MiB.");
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}

/** What an allocation, or a volume, is sent as: its length, then itself in JSON, then the files to restore. */
export function encodeHead(value: object): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** Reads the head; the stream then continues with what follows it. */
export async function readHead(stream: Readable): Promise<unknown> {
  const length = (await readExactly(stream, 4)).readUInt32BE();
  if (length > JSON_BYTES_MAX) throw new Error("The head has more than 4 MiB.");
  return JSON.parse((await readExactly(stream, length)).toString("utf8"));
}

async function readExactly(stream: Readable, size: number): Promise<Buffer> {
  for (;;) {
    const bytes = stream.read(size) as Buffer | null;
    if (bytes?.length === size) return bytes;
    if (bytes || stream.readableEnded || stream.destroyed) throw new Error("The body ended within its head.");
    await new Promise<void>((resolve) => {
      const names = ["readable", "end", "close", "error"];
      const next = () => {
        for (const name of names) stream.off(name, next);
        resolve();
      };
      for (const name of names) stream.on(name, next);
    });
  }
}
