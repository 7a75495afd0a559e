import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { commandOf, processTree } from "./process-tree";
import type { RuntimeScene } from "./runtime-scene";
import { textOf } from "./runtime-scene";
import { waitFor } from "./wait-for";

const FOREVER = "while :; do sleep 0.05; done";
const KILLED = { exitCode: null, signal: "SIGKILL" };
const TERMINAL = { columns: 80, rows: 24 };

/**
 * What a runtime guarantees about the end of further programs: a tenant's program cannot hold up svc, and what it has
 * started cannot outlive a deadline.
 */
export function describeExecutions({ runtime, script }: RuntimeScene): void {
  // The command line of a shell has the text of its script, which ends otherwise.
  const running = (program: string) => processTree(1).filter((pid) => commandOf(pid).endsWith(program));
  const runs = (program: string) => waitFor(() => expect(running(program)).not.toEqual([]), { interval: 10 });
  const isGone = (program: string) => waitFor(() => expect(running(program)).toEqual([]), { interval: 10 });
  /** A program that no other test runs at the same time. */
  const sleeping = () => `sleep ${randomInt(1_000_000, 100_000_000)}`;
  /** Starts a process that has left all that a process can leave, as far as the runtime is to find it. */
  const away = runtime?.gaps.has("escaped_processes") ? "setsid" : "env -i /bin/setsid";
  const options = runtime?.gaps.has("terminals") ? [undefined] : [undefined, TERMINAL];

  it.each(options)(
    "ends a program with all that it has started, whatever it has started (terminal: %o)",
    async (terminal) => {
      await runtime.ensure(script("ends", FOREVER));
      const [left, own] = [sleeping(), sleeping()];
      const command = ["sh", "-c", `${away} /bin/${left} & ${own}; true`];
      const execution = await runtime.exec("ends", command, { terminal });
      await runs(left);
      await runs(own);
      execution.end();
      execution.end();
      expect(await execution.exited).toEqual(KILLED);
      expect([execution.stdout.destroyed, execution.stderr.destroyed]).toEqual([true, true]);
      await Promise.all([isGone(left), isGone(own)]);
      expect(await runtime.observe("ends")).toMatchObject({ state: "running" });
      await runtime.remove("ends");
    },
  );

  it.each(options)("counts a program as ended whose children have its output open (terminal: %o)", async (terminal) => {
    await runtime.ensure(script("leaves-open", FOREVER));
    const left = sleeping();
    const command = ["sh", "-c", `setsid ${left} & sleep 0.05; echo done; exit 3`];
    const execution = await runtime.exec("leaves-open", command, { terminal });
    const [stdout, , exit] = await Promise.all([textOf(execution.stdout), textOf(execution.stderr), execution.exited]);
    expect({ stdout: stdout.trim(), exit }).toEqual({ stdout: "done", exit: { exitCode: 3, signal: null } });
    // It is a process of the workload like every other.
    await runs(left);
    await runtime.remove("leaves-open");
    expect(running(left)).toEqual([]);
  });

  it("ends the output of a program that has left behind a process that writes all the time", async () => {
    await runtime.ensure(script("floods", FOREVER));
    const command = ["sh", "-c", "setsid sh -c 'while :; do echo flood; done' & sleep 0.05; echo done"];
    const execution = await runtime.exec("floods", command);
    const [stdout] = await Promise.all([textOf(execution.stdout), textOf(execution.stderr)]);
    expect(await execution.exited).toEqual({ exitCode: 0, signal: null });
    expect(stdout).toContain("flood\n");
    await runtime.remove("floods");
  });

  it("returns the output so far of a workload that writes all the time", async () => {
    const logBytesMax = 64 * 1024;
    await runtime.ensure(script("talks", "cat /dev/zero", { logBytesMax }));
    await waitFor(async () => expect((await textOf(runtime.logs("talks"))).length).toBeGreaterThan(logBytesMax / 2));
    for (let i = 0; i < 20; i++) expect((await textOf(runtime.logs("talks"))).length).toBeLessThan(2 * logBytesMax);
    await runtime.remove("talks");
  });
}
