import { expect, it } from "vitest";
import { POD_STATUSES as ALL } from "../../../../server/cloud/pods/pod-states";
import { costText, exitText, gpuText, POD_STATUSES, stateText } from "./pod";

const exit = (code: number | null, signal: string | null = null, oom_killed = false) => ({ code, signal, oom_killed });
const reason = (message: string) => ({ code: "x", message });

it("offers every status of the API as a filter", () => expect(POD_STATUSES).toEqual(ALL));

it("says why a pod waits, and how it ended", () => {
  const waiting = { status: "pending" as const, status_reason: reason("No GPU is free."), exit: null };
  expect(stateText(waiting)).toEqual({ tone: "warn", text: "It waits: No GPU is free." });
  const stopped = { status: "stopped" as const, status_reason: reason("It was stopped by a request.") };
  expect(stateText({ ...stopped, exit: exit(null, "SIGTERM") }).text).toBe(
    "It was stopped by a request. Its process ended with SIGTERM.",
  );
  const failed = { status: "failed" as const, status_reason: reason("The process ended with exit code 1.") };
  expect(stateText({ ...failed, exit: exit(1) })).toEqual({ tone: "bad", text: "The process ended with exit code 1." });
});

it("shows how the process ended, and nothing before", () => {
  expect(exitText(null)).toBeUndefined();
  expect(exitText(exit(137, null, true))).toBe("exit code 137, out of memory");
  expect(exitText(exit(null, "SIGKILL"))).toBe("SIGKILL");
});

it("shows GPUs and costs, also those of a second", () => {
  expect(gpuText({ gpu: null, gpu_count: 0 })).toBe("none");
  expect(gpuText({ gpu: "gb200", gpu_count: 2 })).toBe("2 × GB200");
  expect(costText({ cost: "5.236", currency: "USD" })).toBe("$5.24");
  expect(costText({ cost: "0.000008888", currency: "USD" })).toBe("$0.000009");
});
