import { once } from "node:events";
import { rm } from "node:fs/promises";
import net, { type Socket } from "node:net";
import path from "node:path";
import type { Network } from "../../guarded-fetch";
import { atSocketPath } from "./at-socket-path";
import { OutboundProxy } from "./outbound-proxy";

export interface OutboundSocket {
  proxy: OutboundProxy;
  close(): Promise<void>;
}

interface OpenOutboundSocket {
  /** What workloads reach; default: the public network. */
  network?: Network | undefined;
  /** Whether a workload may reach anything at present; absent: all may. Asked for each connection. */
  hasEgress?: (workload: string) => Promise<boolean>;
}

const NO_EGRESS = "The private network of this pod has no NAT, so that it reaches no public addresses.";
const ID_BYTES_MAX = 65;
const ID_TIMEOUT_MS = 5000;

/**
 * Listens in a folder that only svc can enter for the outbound connections of the forwarders of all workloads, and serves
 * them as an HTTP proxy. After a restart of svc the forwarders that are still there find it again.
 */
export async function openOutboundSocket(
  dir: string,
  { network, hasEgress }: OpenOutboundSocket = {},
): Promise<OutboundSocket> {
  const proxy = new OutboundProxy(network);
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    client.on("error", () => undefined);
    readId(client)
      .then(async (id) => {
        if ((await hasEgress?.(id)) ?? true) proxy.accept(id, client);
        else proxy.refuse(client, NO_EGRESS);
      })
      .catch(() => client.destroy());
  });
  const socket = path.join(dir, "outbound");
  await rm(socket, { force: true });
  await atSocketPath(socket, async (short) => {
    server.listen(short);
    await once(server, "listening");
  });
  return {
    proxy,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      proxy.close();
      await closed;
      await rm(socket, { force: true });
    },
  };
}

/** The id of the workload in the first line, which only forwarders write. The rest stays to be read. */
function readId(client: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = Buffer.alloc(0);
    const late = setTimeout(() => client.destroy(), ID_TIMEOUT_MS);
    const onClose = () => {
      clearTimeout(late);
      reject(new Error("The connection did not begin with the id of a workload."));
    };
    const onData = (bytes: Buffer) => {
      text = Buffer.concat([text, bytes]);
      const end = text.indexOf("\n");
      if (end < 0) return void (text.length > ID_BYTES_MAX && client.destroy());
      clearTimeout(late);
      client.off("data", onData).off("close", onClose).pause();
      if (end + 1 < text.length) client.unshift(text.subarray(end + 1));
      resolve(text.toString("latin1", 0, end));
    };
    client.on("data", onData).on("close", onClose);
  });
}
