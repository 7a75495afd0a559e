import { once } from "node:events";
import { Agent, createServer, get, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { gracefulClose } from "./graceful-close";

async function listening(listener: RequestListener) {
  const server = createServer(listener);
  const close = gracefulClose(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, close, port: (server.address() as AddressInfo).port };
}

interface Outcome {
  answered: number;
  /** Failures of anything but a new connection after the server stopped listening. */
  lost: string[];
  announced: boolean;
}

const noOutcome = (): Outcome => ({ answered: 0, lost: [], announced: false });

/** One connection, one request after another, until the server announces the close or rejects a new connection. */
async function busyClient(port: number, pauseMs: number, outcome = noOutcome()): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<boolean>((resolve, reject) => {
      const request = get({ port, host: "127.0.0.1", agent }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.headers.connection === "close"));
      });
      request.once("error", reject);
    });
  for (;;) {
    try {
      outcome.announced = await ask();
      outcome.answered++;
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException;
      if (code !== "ECONNREFUSED") outcome.lost.push(String(code));
      break;
    }
    if (outcome.announced) break;
    await sleep(pauseMs);
  }
  agent.destroy();
  return outcome;
}

it("loses no request of 32 busy keep-alive clients", async () => {
  const { close, port } = await listening((_, response) => {
    setTimeout(() => response.end("ok"), 2);
  });
  const outcomes = Array.from({ length: 32 }, noOutcome);
  const clients = outcomes.map((outcome, i) => busyClient(port, i % 8, outcome));
  await expect.poll(() => outcomes.every(({ answered }) => answered > 1)).toBe(true);
  await close();
  await Promise.all(clients);
  expect(outcomes.flatMap(({ lost }) => lost)).toEqual([]);
  expect(outcomes.every(({ announced }) => announced)).toBe(true);
});

it("finishes a response that began before, and announces the close on one that had not", async () => {
  const responses: (() => void)[] = [];
  const { close, port } = await listening((_, response) => {
    responses.push(() => response.end("late"));
  });
  const answered = busyClient(port, 0);
  while (responses.length === 0) await sleep(5);
  const closed = close();
  responses[0]?.();
  expect(await answered).toEqual({ answered: 1, lost: [], announced: true });
  await closed;
});

it("resolves at once without connections, and closes idle ones after their grace", async () => {
  const first = await listening((_, response) => response.end());
  await first.close();
  const second = await listening((_, response) => response.end());
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve) => {
    get({ port: second.port, host: "127.0.0.1", agent }, (response) => response.resume().once("end", () => resolve()));
  });
  await second.close();
  expect(second.server.listening).toBe(false);
  agent.destroy();
});
