import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { podChoice } from "../pod-requests/pod-fields";
import { assertMayEnter } from "./assert-may-enter";
import { findPod } from "./find-pod";
import { podTarget } from "./pod";
import { podExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";
import { reachRunning } from "./reach-run";
import { openTerminal, terminalFields } from "./terminal-of-run";
import type { TerminalSession } from "./terminal-session";

/**
 * Starts a program with a terminal in a pod that runs. Throws `not_found`, `forbidden` for a pod with secrets without
 * `secrets:reveal`, `conflict` (reason `not_running`), `unprocessable` (reason `start_failed`), `rate_limited` (reason
 * `too_many_terminals`), and `unavailable` (reasons `node_unreachable`, and `not_supported` where the runtime has no
 * terminals).
 */
export const startPodTerminal = operation({
  id: "startPodTerminal",
  summary: "Open a terminal in a pod",
  description: "In a pod whose environment has secrets it requires the scope `secrets:reveal` too.",
  access: "pods:write",
  input: z.strictObject({ ...podChoice, ...terminalFields }),
  output: z.custom<TerminalSession>().optional(),
  example: { input: { id: podExample.id }, output: undefined },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns">, { id, command: words, ...terminal }) => {
    const pod = await findPod(ctx, id);
    assertMayEnter(ctx.actor, pod);
    const reached = await reachRunning(ctx, pod);
    const entry = { action: "pod.executed", targets: [podTarget(pod)] };
    return openTerminal(ctx, { pod, reached, command: words, terminal, entry });
  },
});
