import { once } from "node:events";
import { type RunAgent, runAgent } from "./run-agent";
import type { AgentNotice, AgentStart } from "./supervise-agent";

/**
 * Runs the agent in a process that `superviseAgent` has started, until it is told to end, svc asks for another process, or
 * the supervisor has gone.
 */
export async function runSupervisedAgent(
  options: Omit<RunAgent, "joining" | "address" | "signal" | "restart" | "onServing">,
): Promise<void> {
  const stopping = new AbortController();
  // Another agent must be able to begin at once.
  const end = () => process.exit(1);
  if (!process.connected) end();
  process.once("disconnect", end);
  // Ctrl-C reaches it twice: from the terminal and from the supervisor.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
  const [start] = (await once(process, "message")) as [AgentStart];
  const tell = (notice: AgentNotice) => process.send?.(notice);
  try {
    await runAgent({
      ...options,
      ...start,
      signal: stopping.signal,
      onServing: () => tell("serving"),
      restart: () => {
        tell("restarting");
        stopping.abort();
      },
    });
  } finally {
    // Otherwise the channel would keep this process.
    process.off("disconnect", end);
    process.disconnect();
  }
}
