import type { Readable } from "node:stream";

/** What a program's input and output are cut into, so that several streams share a connection. */
export interface Frame {
  type: FrameType;
  payload: Buffer;
}

/** From the caller: `start`, `stdin`, `stdinEnd`, `signal`, `resize`. To the caller: `stdout`, `stderr`, `exit`. */
export const FRAME_TYPES = {
  start: 0,
  stdin: 1,
  stdinEnd: 2,
  signal: 3,
  stdout: 4,
  stderr: 5,
  exit: 6,
  resize: 7,
} as const;
export type FrameType = keyof typeof FRAME_TYPES;

/** A byte for the type, and the length of the payload as a 32-bit integer. */
const HEADER_BYTES = 5;
/** A program with its arguments and environment, in JSON. */
const PAYLOAD_BYTES_MAX = 1024 * 1024;
const NAMES = Object.keys(FRAME_TYPES) as FrameType[];

export function encodeFrame(type: FrameType, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FRAME_TYPES[type]);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

export const encodeJson = (type: FrameType, value: object): Buffer =>
  encodeFrame(type, Buffer.from(JSON.stringify(value)));

/** The frames of a stream until its end; throws for one of an unknown type or above 1 MiB. A last part of one is left out. */
export async function* readFrames(stream: Readable): AsyncGenerator<Frame> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer]);
    for (let frame = firstOf(pending); frame; frame = firstOf(pending)) {
      pending = pending.subarray(HEADER_BYTES + frame.payload.length);
      yield frame;
    }
  }
}

function firstOf(bytes: Buffer): Frame | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const type = NAMES[bytes.readUInt8()];
  const length = bytes.readUInt32BE(1);
  if (type === undefined || length > PAYLOAD_BYTES_MAX) throw new Error("The other end sent an invalid frame.");
  if (bytes.length < HEADER_BYTES + length) return undefined;
  return { type, payload: bytes.subarray(HEADER_BYTES, HEADER_BYTES + length) };
}
