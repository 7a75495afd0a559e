import { once } from "node:events";
import net from "node:net";
import type { Duplex } from "node:stream";
import { RuntimeError } from "../runtime";
import { atSocketPath } from "./at-socket-path";

/** A port whose program accepts nothing keeps the kernel waiting. */
const TIMEOUT_MS = 10_000;
const ACCEPTED = "+".charCodeAt(0);

/**
 * A connection to a port of a workload's loopback interface, through the socket of its forwarder. Rejects with
 * `port_closed` if the port does not accept it.
 */
export async function connectInside(forwarder: string, port: number): Promise<Duplex> {
  const socket = await atSocketPath(forwarder, async (path) => {
    const opening = net.connect({ path });
    await once(opening, "connect");
    return opening;
  }).catch((cause: unknown) => {
    throw portClosed(port, cause);
  });
  socket.on("error", () => undefined);
  const late = setTimeout(() => socket.destroy(), TIMEOUT_MS);
  try {
    socket.write(`${port}\n`);
    const reply = await firstBytes(socket);
    if (reply?.[0] !== ACCEPTED) throw portClosed(port);
    if (reply.length > 1) socket.unshift(reply.subarray(1));
    return socket;
  } catch (cause) {
    socket.destroy();
    throw cause;
  } finally {
    clearTimeout(late);
  }
}

/** undefined if the connection ends before. The rest stays to be read. */
function firstBytes(socket: net.Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const finish = (bytes?: Buffer) => {
      socket.off("data", finish).off("close", onClose).pause();
      resolve(bytes);
    };
    const onClose = () => finish();
    socket.on("data", finish).on("close", onClose);
  });
}

const portClosed = (port: number, cause?: unknown): RuntimeError =>
  new RuntimeError("port_closed", `Nothing in the workload accepts connections on port ${port}.`, { cause });
