import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { missingForWorkloads } from "../../../test/factories/workload-node";
import { chooseIsolation } from "./choose-isolation";
import { findWorkerd } from "./find-workerd";
import { type Isolation, launchWorkerd } from "./launch-workerd";
import { WORKERD_LIMITS } from "./limits";

const dir = fileFolder("svc-isolation-");

const canEnclose = process.getuid?.() === 0 && missingForWorkloads() === undefined;
const found = await findWorkerd(process.cwd());
let count = 0;
const parts = () => ({
  program: "program" in found ? found.program : "",
  scripts: path.resolve("server/engines/workerd"),
  dir: path.join(dir, `${count++}`),
  cgroups: undefined,
  limits: { ...WORKERD_LIMITS, processesMax: 1 },
  source: () => undefined,
  outbound: () => undefined,
});

const launch = (isolation: Isolation) => launchWorkerd({ ...parts(), isolation });

/** A field of /proc/<pid>/status. */
const fieldOf = (pid: number, name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";

describe("a process of workers", () => {
  it("has a filter of system calls and can gain no rights, also where no more is possible", async () => {
    const { isolation, missing } = await chooseIsolation(parts(), false);
    expect([isolation.apart, missing]).toEqual(["filter", expect.stringContaining("only root")]);
    const { pid, close } = await launch(isolation);
    expect([fieldOf(pid, "Seccomp"), fieldOf(pid, "NoNewPrivs")]).toEqual(["2", "1"]);
    await close();
  });

  it("says why it is not apart, and starts all the same", async () => {
    const chosen = await chooseIsolation({ ...parts(), scripts: path.resolve("absent") });
    expect(chosen).toMatchObject({ isolation: { apart: "none" }, missing: expect.stringContaining("filter: ") });
  });

  it.runIf(canEnclose)(
    "sees nothing of the machine but its libraries, no other process, and ends with its parent",
    async () => {
      const { isolation, missing } = await chooseIsolation(parts());
      expect([isolation.apart, missing]).toEqual(["full", undefined]);
      const { pid, close, exited } = await launch(isolation);
      for (const kind of ["mnt", "pid", "ipc", "uts", "net"])
        expect(readlinkSync(`/proc/${pid}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
      expect(fieldOf(pid, "NSpid").split("\t")).toEqual([String(pid), "1"]);
      expect([fieldOf(pid, "Seccomp"), fieldOf(pid, "NoNewPrivs")]).toEqual(["2", "1"]);
      expect(Number(fieldOf(pid, "Uid").split("\t")[0])).toBeGreaterThan(65_536);
      const root = `/proc/${pid}/root`;
      const tops = new Set(["dev", "proc", "root", "work", ...isolation.files.map((file) => file.split("/")[1])]);
      for (const name of readdirSync(root)) expect([...tops]).toContain(name);
      expect(existsSync(`${root}/etc/passwd`)).toBe(false);
      expect(readdirSync(`${root}/proc`).filter((name) => /^\d+$/.test(name))).toEqual(["1"]);
      process.kill(Number(fieldOf(pid, "PPid")), "SIGKILL");
      await exited;
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
      await close();
    },
  );
});
