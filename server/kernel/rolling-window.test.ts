import { expect, it } from "vitest";
import { RollingWindow, type Span } from "./rolling-window";

const text = ({ fromMs, toMs }: Span): string =>
  [fromMs, toMs].map((ms) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 16) : "now")).join(" ");

function recordingWindow() {
  const reads: string[] = [];
  let failure: Error | undefined;
  const window = new RollingWindow(30, async (span) => {
    if (failure) throw failure;
    reads.push(text(span));
    return text(span);
  });
  const look = async (at: string) => {
    reads.length = 0;
    const parts = await window.parts(new Date(at));
    return { parts, reads: [...reads] };
  };
  return { look, fail: (cause: Error | undefined) => (failure = cause) };
}

const DAYS = "2026-10-21T00:00 2026-11-19T00:00";
const HOURS = "2026-11-19T00:00 2026-11-20T09:00";

it("reads at most two hours each minute, two days each hour, and everything once a day", async () => {
  const { look } = recordingWindow();
  const all = [DAYS, HOURS, "2026-11-20T09:00 now"];
  expect(await look("2026-11-20T10:00:01Z")).toEqual({ parts: all, reads: all });
  expect(await look("2026-11-20T10:59:59Z")).toEqual({ parts: all, reads: ["2026-11-20T09:00 now"] });
  const nextHour = ["2026-11-19T00:00 2026-11-20T10:00", "2026-11-20T10:00 now"];
  expect(await look("2026-11-20T11:00:00Z")).toEqual({ parts: [DAYS, ...nextHour], reads: nextHour });
  const nextDay = ["2026-10-22T00:00 2026-11-20T00:00", "2026-11-20T00:00 2026-11-20T23:00", "2026-11-20T23:00 now"];
  expect(await look("2026-11-21T00:00:00Z")).toEqual({ parts: nextDay, reads: nextDay });
});

it("reads again what could not be read", async () => {
  const { look, fail } = recordingWindow();
  fail(new Error("away"));
  await expect(look("2026-11-20T10:00:00Z")).rejects.toThrow("away");
  fail(undefined);
  expect((await look("2026-11-20T10:00:00Z")).reads).toHaveLength(3);
});
