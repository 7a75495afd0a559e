import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { textOf } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import type { Execution, TerminalSize } from "../execution";
import { type Allocation, type Runtime, RuntimeError } from "../runtime";
import { openRemoteRuntime, RemoteWorkloads } from "./remote-runtime";
import { RuntimeLink } from "./runtime-link";
import { type LinkAccess, type ServedRuntime, serveRuntime } from "./serve-runtime";

const KEY = Buffer.alloc(32, 1);
const STARTED = new Date("2026-11-27T00:00:00.000Z");
const UNREACHABLE = { code: "unavailable", details: { reason: "node_unreachable" } };
const exited: Promise<never> = new Promise(() => {});

/** What was called on the served runtime. */
let calls: string[];
let served: ServedRuntime | undefined;
let callers: Map<string, { key: Buffer; access: LinkAccess }>;
let allocation: Allocation | undefined;
let executions: { stdin: string; killed: string[]; sizes: TerminalSize[] }[];

/** A runtime of one workload, `known`, that only tells what was called. */
const runtime: Runtime = {
  kind: "namespaces",
  isolation: "none",
  limitsEnforced: true,
  gpu: "none",
  imageCacheBytes: 1000,
  async ensure(asked, { restore } = {}) {
    allocation = asked;
    calls.push(`ensure ${asked.id} ${restore ? await textOf(restore) : ""}`);
    return { pulledBytes: 7 };
  },
  prefetch: (reference, { bytesMax, signal }) => {
    calls.push(`prefetch ${reference} ${bytesMax}`);
    if (reference !== "slow") return Promise.resolve({ bytes: 5 });
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(new RuntimeError("terminated", `${calls.push("interrupted")}`))),
    );
  },
  observe: async (id) => (id === "known" ? { state: "running", startedAt: STARTED } : { state: "absent" }),
  signal: async (id, signal) => void calls.push(`signal ${id} ${signal}`),
  notify: async (id, name, contents) => void calls.push(`notify ${id} ${name} ${contents}`),
  terminate: async () => {
    throw new RuntimeError("not_ended", "The workload has not ended although it was killed.");
  },
  logs: () => Readable.from(["line\n"]),
  exec: async (_id, _command, { stdin } = {}) => execution(stdin),
  connect: async (_id, port) => {
    if (port !== 8000) throw new RuntimeError("port_closed", `Nothing accepts connections on port ${port}.`);
    // What is sent comes back.
    return new PassThrough();
  },
  snapshot: (id) => {
    const output = new PassThrough();
    if (id === "known") output.end("files");
    else output.destroy(new RuntimeError("not_found", "There is no such workload."));
    return output;
  },
  volumes: {
    isEnforced: true,
    make: async (id, { bytes, restore }) =>
      void calls.push(`make ${id} ${bytes} ${restore ? await textOf(restore) : ""}`),
    snapshot: () => Readable.from(["volume"]),
    grow: async (id, bytes) => void calls.push(`grow ${id} ${bytes}`),
    limit: async (_id, bytesPerSecond) => bytesPerSecond === 7,
    list: async () => ({ ids: ["known"], bytesMax: 9 }),
    remove: async (id) => void calls.push(`remove volume ${id}`),
  },
  networks: {
    apply: async () => undefined,
    unused: async () => ["left"],
    remove: async (id) => void calls.push(`remove network ${id}`),
  },
  list: async () => ["known"],
  remove: async (id) => void calls.push(`remove ${id}`),
  close: async () => undefined,
};

/** A program that prints a line and then runs until it is killed. */
function execution(stdin: Readable | undefined): Execution {
  const record = { stdin: "", killed: [] as string[], sizes: [] as TerminalSize[] };
  executions.push(record);
  stdin?.on("data", (chunk) => {
    record.stdin += chunk;
  });
  return {
    stdout: Readable.from(["out\n"]),
    stderr: Readable.from(["bad\n"]),
    exited,
    kill: (signal) => void record.killed.push(signal),
    end: () => void record.killed.push("end"),
    resize: (size) => void record.sizes.push(size),
  };
}

async function serve(): Promise<number> {
  calls = [];
  executions = [];
  callers = new Map([
    ["driver", { key: KEY, access: "drive" }],
    ["user", { key: KEY, access: "use" }],
  ]);
  const agent = { version: "0.2.0", bootId: "first", restart: () => void calls.push("restart") };
  const options = { runtime: () => runtime, callerOf: (identity: string) => callers.get(identity), agent };
  served = await serveRuntime({ ...options, host: "127.0.0.1", port: 0, log: { warn: () => undefined } });
  return served.port;
}

const link = (port: number, more = {}) => ({ address: `127.0.0.1:${port}`, identity: "driver", key: KEY, ...more });

afterEach(async () => {
  await served?.close();
  served = undefined;
});

describe("a runtime that is served to another process", () => {
  it("passes on calls, streams, dates and errors", async () => {
    const remote = await openRemoteRuntime(link(await serve(), { epoch: 1 }));
    const image = { reference: "example/image", credentials: { username: "name", password: "secret" } };
    const restore = Readable.from([Buffer.from("restored")]);
    const volumes = [
      { id: "one", path: "/one" },
      { id: "two", path: "/two", readOnly: true },
    ];
    expect(await remote.ensure({ id: "new", image, network: "none", volumes }, { restore })).toEqual({
      pulledBytes: 7,
    });
    expect(allocation).toEqual({ id: "new", image, network: "none", volumes });
    await remote.signal("known", "SIGTERM");
    await remote.notify("known", "note.json", "a note");
    await remote.remove("known");
    await remote.volumes?.make("new", { bytes: 5, restore: Readable.from(["restored"]) });
    await remote.volumes?.grow("known", 6);
    expect(await remote.volumes?.limit("known", 7)).toBe(true);
    await remote.volumes?.remove("known");
    await remote.networks?.remove("left");
    expect(calls).toEqual([
      "ensure new restored",
      "signal known SIGTERM",
      "notify known note.json a note",
      "remove known",
      "make new 5 restored",
      "grow known 6",
      "remove volume known",
      "remove network left",
    ]);
    expect(await remote.networks?.unused()).toEqual(["left"]);
    expect(remote.volumes?.isEnforced).toBe(true);
    expect(await remote.volumes?.list()).toEqual({ ids: ["known"], bytesMax: 9 });
    expect(await remote.observe("known")).toEqual({ state: "running", startedAt: STARTED });
    expect(await remote.observe("../up")).toEqual({ state: "absent" });
    expect(await textOf(remote.logs("known"))).toBe("line\n");
    expect(await textOf(remote.snapshot("known"))).toBe("files");
    await expect(textOf(remote.snapshot("unknown"))).rejects.toMatchObject({ reason: "not_found" });
    await expect(remote.terminate("known", 0)).rejects.toMatchObject({ reason: "not_ended" });
    await remote.close();
  });

  it("passes on what is prefetched, and ends it for a caller that does not wait", async () => {
    const remote = await openRemoteRuntime(link(await serve(), { epoch: 1 }));
    expect(remote.imageCacheBytes).toBe(1000);
    const interruption = new AbortController();
    const options = { bytesMax: 250, signal: interruption.signal };
    expect(await remote.prefetch("app", options)).toEqual({ bytes: 5 });
    const slow = remote.prefetch("slow", options);
    await waitFor(() => expect(calls).toEqual(["prefetch app 250", "prefetch slow 250"]), { interval: 5 });
    interruption.abort();
    await expect(slow).rejects.toMatchObject(UNREACHABLE);
    await waitFor(() => expect(calls.at(-1)).toBe("interrupted"), { interval: 5 });
    await remote.close();
  });

  it("ends a program whose caller disconnects, and tells the caller when the node has gone", async () => {
    const remote = new RemoteWorkloads(new RuntimeLink(link(await serve(), { identity: "user" })));
    const first = await remote.exec("known", ["program"], { stdin: Readable.from(["typed"]) });
    const sizes = [{ columns: 132, rows: 50 }];
    first.resize({ columns: 132, rows: 50 });
    first.kill("SIGINT");
    await waitFor(() => expect(executions).toEqual([{ stdin: "typed", killed: ["SIGINT"], sizes }]), { interval: 5 });
    first.stdout.destroy();
    first.stderr.destroy();
    await waitFor(() => expect(executions[0]?.killed).toEqual(["SIGINT", "end"]), { interval: 5 });
    await expect(first.exited).rejects.toMatchObject(UNREACHABLE);
    const ended = await remote.exec("known", ["program"]);
    ended.end();
    expect(await ended.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
    await waitFor(() => expect(executions[1]?.killed).toEqual(["end"]), { interval: 5 });
    const second = await remote.exec("known", ["program"]);
    const read = Promise.allSettled([textOf(second.stdout), textOf(second.stderr)]);
    await served?.close();
    await expect(second.exited).rejects.toMatchObject(UNREACHABLE);
    await read;
    await expect(remote.observe("known")).rejects.toMatchObject(UNREACHABLE);
    await remote.close();
  });

  it("passes connections to ports in both directions, for keys that only use it too", async () => {
    const remote = new RemoteWorkloads(new RuntimeLink(link(await serve(), { identity: "user" })));
    const connection = await remote.connect("known", 8000);
    connection.write("sent");
    expect(String((await once(connection, "data"))[0])).toBe("sent");
    const failed = expect(once(connection, "end")).rejects.toThrow();
    await expect(remote.connect("known", 8001)).rejects.toMatchObject({ reason: "port_closed" });
    await served?.close();
    await failed;
    await remote.close();
  });

  it("accepts only known keys, each for what it may do", async () => {
    const port = await serve();
    const wrong = [{ identity: "other" }, { key: Buffer.alloc(32, 2) }];
    for (const more of wrong) await expect(openRemoteRuntime(link(port, more))).rejects.toMatchObject(UNREACHABLE);
    const user = new RuntimeLink(link(port, { identity: "user" }));
    expect(await textOf(new RemoteWorkloads(user).logs("known"))).toBe("line\n");
    const { volumes } = new RemoteWorkloads(user);
    expect(volumes && (await textOf(volumes.snapshot("known")))).toBe("volume");
    await expect(user.call("DELETE", "/volumes/known")).rejects.toMatchObject(UNREACHABLE);
    await expect(user.call("DELETE", "/workloads/known")).rejects.toMatchObject(UNREACHABLE);
    const driver = await openRemoteRuntime(link(port));
    callers.clear();
    await expect(driver.remove("known")).rejects.toMatchObject(UNREACHABLE);
    expect(calls).toEqual([]);
    await driver.close();
    user.close();
  });

  it("restarts its agent for a driver alone, and once: the call names the process that is to end", async () => {
    const port = await serve();
    const user = new RuntimeLink(link(port, { identity: "user" }));
    await expect(user.call("POST", "/restart", { json: { bootId: "first" } })).rejects.toMatchObject(UNREACHABLE);
    const driver = await openRemoteRuntime(link(port, { epoch: 1 }));
    expect(await driver.agent()).toEqual({ version: "0.2.0", bootId: "first" });
    expect(await driver.restart("one before")).toBe(false);
    expect(await driver.restart("first")).toBe(true);
    await waitFor(() => expect(calls).toEqual(["restart"]), { interval: 5 });
    await driver.close();
    user.close();
  });

  it("rejects what an earlier claim still sends", async () => {
    const port = await serve();
    const earlier = await openRemoteRuntime(link(port, { epoch: 1 }));
    const later = await openRemoteRuntime(link(port, { epoch: 2 }));
    await expect(earlier.remove("known")).rejects.toMatchObject(UNREACHABLE);
    await expect(earlier.check()).rejects.toMatchObject(UNREACHABLE);
    await later.remove("known");
    expect(calls).toEqual(["remove known"]);
    await Promise.all([earlier.close(), later.close()]);
  });
});
