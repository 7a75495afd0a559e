import { expect, it } from "vitest";
import { POD_STATUSES as ALL } from "../../../../server/cloud/compute/pod-records/pod-states";
import { costText, exitText, gpuText, noticeText, POD_STATUSES, stateText } from "./pod";

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

it("counts the seconds of a notice, and says what comes then", () => {
  const at = Date.parse("2026-11-20T09:00:00.000Z");
  const reclaim = { notice_at: "2026-11-20T09:00:00.000Z", ends_at: "2026-11-20T09:00:30.000Z" };
  expect(noticeText({ reclaim: null, auto_resume: true }, at)).toBeUndefined();
  expect(noticeText({ reclaim, auto_resume: true }, at + 500)).toMatch(/^The notice ends in 30 s\. .*continues/);
  expect(noticeText({ reclaim, auto_resume: false }, at + 40_000)).toMatch(/^The notice ends in 0 s\. .*stopped/);
  const { tone } = stateText({ status: "reclaiming", status_reason: reason("Needed."), exit: null });
  expect(tone).toBe("warn");
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
