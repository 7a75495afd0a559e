import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { messageOf, queueServer } from "../../test/factories/queue-server";
import { testProgram } from "../../test/factories/test-program";

const KEY = `svc_test_${"a".repeat(48)}`;
const program = await testProgram(path.join(import.meta.dirname, "svc.ts"), { packages: "bundle", target: "es2022" });
let running: ChildProcess | undefined;
let queue: Awaited<ReturnType<typeof queueServer>>;

afterEach(() => {
  running?.kill("SIGKILL");
  queue.close();
});

/** The program `svc` as a process, whose standard input stays open. */
function svc(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, SVC_API_KEY: KEY, SVC_BASE_URL: queue.url },
  });
  running = child;
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.err += chunk));
  const exited = new Promise((resolve) => child.on("exit", (status, signal) => resolve(signal ?? status)));
  return {
    said,
    exited,
    type: (text: string) => child.stdin.write(text),
    signal: (name: NodeJS.Signals) => child.kill(name),
  };
}
const forever = ["--", process.execPath, "-e", 'console.log("started"); setInterval(() => {}, 1000)'];
const brief = ["--", process.execPath, "-e", 'console.log("started"); setTimeout(() => console.log("ended"), 200)'];

describe("svc, interrupted", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("by %s while it waits, exits with 0", async (name) => {
    queue = await queueServer([]);
    const { exited, signal, said } = svc(["queues", "consume", "orders", ...brief]);
    await expect.poll(() => queue.state.asked).toHaveLength(1);
    signal(name);
    expect([await exited, said.err]).toEqual([0, "Waiting for messages of orders; Ctrl-C ends it.\n"]);
  });

  it("ends svc webhooks listen with 0, even if the input that had the secret stays open", async () => {
    queue = await queueServer([]);
    const { exited, signal, said, type } = svc(["webhooks", "listen", "--forward", "4000", "--secret", "-"]);
    type("whsec_c2VjcmV0\n");
    await expect.poll(() => said.err).toContain("Forwarding all events to http://localhost:4000/; Ctrl-C ends it.\n");
    signal("SIGINT");
    expect([await exited, said.err.includes("whsec_")]).toEqual([0, false]);
  });

  it("while a command runs, lets it finish and acknowledges its message", async () => {
    queue = await queueServer([messageOf(1), messageOf(2)]);
    const { exited, signal, said } = svc(["queues", "consume", "orders", "--max-messages", "2", ...brief]);
    await expect.poll(() => said.out).toBe("started\n");
    signal("SIGINT");
    expect([await exited, said.out]).toEqual([0, "started\nended\n"]);
    expect([queue.state.acknowledged, queue.state.returned]).toEqual([["rcp_1"], [["rcp_2", 0]]]);
  });

  it("twice, ends the command and returns its message", async () => {
    queue = await queueServer([messageOf(1)]);
    const { exited, signal, said } = svc(["queues", "consume", "orders", ...forever]);
    await expect.poll(() => said.out).toBe("started\n");
    // Signals in close succession count as one, because npm repeats them.
    const interrupt = (): string => {
      if (!said.err.includes("Ending")) signal("SIGINT");
      return said.err;
    };
    await expect.poll(interrupt, { interval: 400 }).toContain("Ending the running commands.\n");
    expect(said.err).toContain("Waiting for the running commands to finish; Ctrl-C again ends them.\n");
    expect([await exited, queue.state.returned]).toEqual([0, [["rcp_1", 0]]]);
  });
});
