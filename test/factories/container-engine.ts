import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { waitFor } from "./wait-for";

export interface ContainerEngine {
  socket: string;
  stop(): Promise<void>;
}

/** Where cgroups are hybrid, crun wants the empty hierarchy of version 2 unmounted, here in a mount namespace of its own. */
const SERVE =
  'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman --root "$0/root" --runroot "$0/runroot" --tmpdir "$0/tmp" system service --time=0 "unix://$0/podman.sock"';

/** Podman with files of its own; a sentence if this machine cannot start one. */
export async function startContainerEngine(): Promise<ContainerEngine | string> {
  if (process.getuid?.() !== 0) return "a container engine is started by root";
  if (!hasPodman()) return "this machine has no podman";
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-engine-"));
  const socket = path.join(dir, "podman.sock");
  const args = ["--mount", "--propagation", "private", "sh", "-c", SERVE, dir];
  const service = spawn("unshare", args, { cwd: dir, stdio: "ignore", detached: true });
  await waitFor(() => {
    if (!existsSync(socket)) throw new Error("podman does not listen yet");
  });
  return { socket, stop: () => stopEngine(service, dir) };
}

async function stopEngine(service: ChildProcess, dir: string): Promise<void> {
  if (service.exitCode === null) {
    const exited = once(service, "exit");
    // It has files of its own only, so that nothing is left half written for others.
    service.kill("SIGKILL");
    await exited;
  }
  await rm(dir, { recursive: true, force: true });
}

function hasPodman(): boolean {
  try {
    execFileSync("podman", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
