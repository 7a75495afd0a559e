import type { ChildProcess } from "node:child_process";
import net from "node:net";

/** How every answer of Postgres ends: ReadyForQuery, whose last byte is the state of the transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

export interface KillingProxy {
  /** The URL of a database by way of the proxy. */
  url: string;
  /** Commands that were sent to Postgres so far, over all connections. */
  commands(): number;
  close(): void;
}

/** Stands between a process and Postgres, and kills the process instead of passing on its command number `killAt`. */
export async function killingProxy(
  databaseUrl: string,
  { killAt, victim }: { killAt: number; victim: () => ChildProcess | undefined },
): Promise<KillingProxy> {
  const target = new URL(databaseUrl);
  let commands = 0;
  const server = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    let isReady = false;
    far.on("data", (bytes) => {
      isReady = bytes.subarray(-6, -1).equals(READY);
      near.write(bytes);
    });
    near.on("data", (bytes) => {
      if (isReady && bytes[0] !== TERMINATE && ++commands === killAt) victim()?.kill("SIGKILL");
      isReady = false;
      if (killAt === 0 || commands < killAt) far.write(bytes);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as net.AddressInfo).port);
  return { url: url.href, commands: () => commands, close: () => server.close() };
}

/** The first byte of the message that ends a connection. */
const TERMINATE = 0x58;
