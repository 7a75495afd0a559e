import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Sandbox } from "./sandbox";
import { endedSandboxExample, sandboxExample } from "./sandbox.example";

/** Without what may contain what only readers of sandboxes should see. */
export const SandboxFields = Sandbox.omit({ env: true, command: true, stdout: true, stderr: true });

/** A sandbox as its events and audit entries show it. */
export const shown = ({ env: _env, command: _command, stdout: _out, stderr: _err, ...sandbox }: Sandbox) => sandbox;

export const sandboxCreated = eventKind({
  type: "sandbox.created",
  description: "A sandbox was created.",
  data: SandboxFields,
  example: shown({ ...sandboxExample, status: "starting", started_at: null, runtime: null }),
});

export const sandboxEnded = eventKind({
  type: "sandbox.ended",
  description: "A sandbox has ended: its command has ended, its time is over, it was deleted, or it failed.",
  data: SandboxFields,
  example: shown(endedSandboxExample),
});

export const sandboxEventKinds: readonly EventKind[] = [sandboxCreated, sandboxEnded];
