import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The server's end of a WebSocket with the channels of Kubernetes, as far as tests of `exec` need it. */
export interface ChannelSocket {
  send(channel: number, text: string): void;
  /** What has arrived on a channel. */
  received(channel: number): string;
  close(): void;
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const BINARY = 0x82;
const CLOSE = 0x88;
const LENGTH_16 = 126;

/** Accepts an upgrade; frames of up to 64 KiB, not split. */
export function acceptChannels(request: IncomingMessage, socket: Duplex): ChannelSocket {
  const key = request.headers["sec-websocket-key"] ?? "";
  const accept = createHash("sha1")
    .update(key + GUID)
    .digest("base64");
  const headers = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`];
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\n${[...headers, "Sec-WebSocket-Protocol: v5.channel.k8s.io"].join("\r\n")}\r\n\r\n`,
  );
  const texts = new Map<number, string>();
  let bytes = Buffer.alloc(0);
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let frame = readFrame(bytes); frame; frame = readFrame(bytes)) {
      bytes = bytes.subarray(frame.size);
      if (frame.opcode === (CLOSE & 0xf)) socket.end();
      const [channel = 0] = frame.payload;
      texts.set(channel, (texts.get(channel) ?? "") + frame.payload.subarray(1).toString());
    }
  });
  return {
    send: (channel, text) => void socket.write(frameOf(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]))),
    received: (channel) => texts.get(channel) ?? "",
    close: () => void socket.destroy(),
  };
}

function frameOf(payload: Buffer): Buffer {
  const length = Buffer.alloc(3, LENGTH_16);
  if (payload.length < LENGTH_16) return Buffer.concat([Buffer.from([BINARY, payload.length]), payload]);
  length.writeUInt16BE(payload.length, 1);
  return Buffer.concat([Buffer.from([BINARY]), length, payload]);
}

/** A frame of a client, which is always masked. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
  const [first = 0, second = 0] = bytes;
  const isLong = (second & 0x7f) === LENGTH_16;
  const start = isLong ? 8 : 6;
  if (bytes.length < start) return undefined;
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
  return { opcode: first & 0xf, payload, size: start + length };
}
