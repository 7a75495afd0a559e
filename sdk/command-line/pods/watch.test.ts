import { beforeEach, describe, expect, it } from "vitest";
import { listening } from "../../../test/factories/listening";
import { openForFile } from "../../../test/factories/open-for-file";
import { typeLine } from "../../../test/factories/typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;
const AT = "2026-11-20T09:00:00.000Z";

/** What the pod is at each look, the last one for ever: its status, and how many of the events there are. */
let looks: [status: string, events: number][] = [];
let look = 0;
const TYPES = ["created", "waiting", "placed", "ready", "failed"];
const event = (at: number, run = 1) => ({
  id: String(at + 1),
  type: TYPES[at] ?? "waiting",
  run,
  message: `Event ${at + 1}.\u001b[31m`,
  at: AT,
});
const pages: string[] = [];

function bodyOf(url: URL, method: string): object {
  const [status, count] = looks[Math.min(look, looks.length - 1)] ?? ["pending", 0];
  if (method === "POST") return { id: "pod_1", status, runs: url.pathname.endsWith("/start") ? 2 : 1 };
  if (url.pathname.endsWith("/events")) {
    const cursor = url.searchParams.get("cursor");
    pages.push(cursor ?? "first");
    const all = Array.from({ length: count }, (_, at) => event(at, at < 2 ? 1 : 2)).reverse();
    // Two on each page.
    const from = Number(cursor?.slice(4) ?? 0);
    const next = from + 2 < all.length ? `cur_${from + 2}` : null;
    return { data: all.slice(from, from + 2), next_cursor: next };
  }
  if (url.pathname.endsWith("/explanation")) return { expected_wait: { seconds: 240 }, queue_position: 2 };
  return { id: "pod_1", status: looks[Math.min(look++, looks.length - 1)]?.[0], runs: 2 };
}

const { url: svcUrl } = await openForFile(
  listening((request, response) => {
    const url = new URL(request.url ?? "/", "http://svc");
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(bodyOf(url, request.method ?? "")));
  }),
);
beforeEach(() => {
  look = 0;
  pages.length = 0;
});

const svc = (argv: string[], more: { columns?: number } = {}) =>
  typeLine(["pods", ...argv], { key: KEY, svc: svcUrl, ...more });
const shown = (from: number, to: number) =>
  TYPES.slice(from, to)
    .map((type, i) => `${AT}  ${type.padEnd(17)}  Event ${from + i + 1}. [31m\n`)
    .join("");

describe("svc pods watch", () => {
  it("prints each event once, the oldest first, until the pod has ended", async () => {
    looks = [
      ["pending", 3],
      ["pending", 3],
      ["ready", 4],
      ["completed", 4],
    ];
    const { done, said } = svc(["watch", "pod_1"]);
    expect([await done, said.out, said.err]).toEqual([0, shown(0, 4), ""]);
    // The first look has two pages; later ones stop where everything is known.
    expect(pages.slice(0, 3)).toEqual(["first", "cur_2", "first"]);
  });

  it("ends when the process runs with --until ready, with status 1 if it never does", async () => {
    looks = [
      ["pending", 3],
      ["ready", 4],
    ];
    const ready = svc(["watch", "pod_1", "--until", "ready", "--json"]);
    expect(await ready.done).toBe(0);
    expect(
      ready.said.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(["1", "2", "3", "4"]);
    look = 0;
    looks = [["failed", 5]];
    expect(await svc(["watch", "pod_1", "--until", "ready"]).done).toBe(1);
    look = 0;
    looks = [["stopped", 2]];
    expect(await svc(["watch", "pod_1", "--until", "ready"]).done).toBe(1);
  });

  it("shows on a terminal what the pod waits for, and removes that line", async () => {
    looks = [
      ["pending", 1],
      ["completed", 1],
    ];
    const { done, said } = svc(["watch", "pod_1"], { columns: 80 });
    expect([await done, said.out]).toEqual([0, shown(0, 1)]);
    expect(said.err).toContain("pending, position 2 in the queue, expected wait about 4 min …");
    expect(said.err.endsWith("\r\u001b[K")).toBe(true);
  });

  it("is ended by Ctrl-C, with status 130", async () => {
    looks = [["ready", 1]];
    const { done, said, stop } = svc(["watch", "pod_1"]);
    await expect.poll(() => said.out).toBe(shown(0, 1));
    stop.abort();
    expect(await done).toBe(130);
  });
});

it("svc pods create, start and stop with --watch print the events of the run, and then the pod", async () => {
  looks = [
    ["pending", 3],
    ["ready", 4],
  ];
  const started = svc(["start", "pod_1", "--watch", "--json"]);
  expect([await started.done, JSON.parse(started.said.out)]).toEqual([0, { id: "pod_1", status: "ready", runs: 2 }]);
  expect(started.said.err.match(/"id":"\d"/g)).toEqual(['"id":"3"', '"id":"4"']);
  look = 0;
  const created = svc(["create", "--image", "alpine:3", "--watch"]);
  expect([await created.done, created.said.err]).toEqual([0, `pod_1\n${shown(0, 4)}`]);
  expect(created.said.out).toContain("ready");
  look = 0;
  looks = [["failed", 5]];
  expect(await svc(["stop", "pod_1", "--watch"]).done).toBe(1);
});
