import { type ChildProcess, fork } from "node:child_process";
import { createServer } from "node:net";
import type { Order } from "./serve";

/** Clicks of anything else are no clicks. */
export const BROWSER = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/147.0.0.0 Safari/537.36",
};

/** A process of the bench, once it serves. */
export interface Served {
  child: ChildProcess;
  hello: { port: number; demo?: unknown };
  rssMb: number;
}

/** Starts this program with other arguments, `serve-svc` or `serve-bare`, and waits for its port. */
export function start(args: string[], env: Record<string, string>): Promise<Served> {
  const child = fork(process.argv[1] ?? "", ["bench", ...args], {
    env: { ...process.env, ...env },
    // As `npm start` has it.
    execArgv: ["--max-semi-space-size=32"],
    // In a session of its own.
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    const served: Served = { child, hello: { port: 0 }, rssMb: 0 };
    child.on("message", (message: { port?: number; rssMb?: number }) => {
      if (message.rssMb !== undefined) served.rssMb = message.rssMb;
      if (message.port === undefined) return;
      served.hello = message as Served["hello"];
      resolve(served);
    });
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
}

let asked = 0;

/** Rows from inside a served svc. */
export function rowsOf({ child }: Served, engine: Order["engine"], query = ""): Promise<Record<string, unknown>[]> {
  const order: Order = { asked: ++asked, engine, query };
  child.send(order);
  return new Promise((resolve) => {
    const hear = (answer: { asked?: number; rows?: Record<string, unknown>[] }) => {
      if (answer.asked !== order.asked) return;
      child.off("message", hear);
      resolve(answer.rows ?? []);
    };
    child.on("message", hear);
  });
}

/** A port of loopback that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
