import { expect, it } from "vitest";
import type { ListedQueue } from "./queue";
import { inOrder, nextOrder, readOrder } from "./queue-order";

const orderIn = (search: string) => readOrder(new URLSearchParams(search));

it("begins with the most waiting messages, and takes anything unknown in an address for that", () => {
  expect(orderIn("")).toEqual({ sort: "waiting", order: "desc" });
  expect(orderIn("sort=body&order=up")).toEqual({ sort: "waiting", order: "desc" });
  expect(orderIn("sort=name")).toEqual({ sort: "name", order: "asc" });
  expect(orderIn("sort=oldest&order=asc")).toEqual({ sort: "oldest", order: "asc" });
});

it("reverses the order at a second press on a heading", () => {
  expect(nextOrder(orderIn(""), "name")).toEqual({ sort: "name", order: "asc" });
  expect(nextOrder(orderIn(""), "waiting")).toEqual({ sort: "waiting", order: "asc" });
  expect(nextOrder(orderIn("order=asc"), "waiting")).toEqual({ sort: "waiting", order: "desc" });
});

it("sorts by a figure, then by name; a queue whose figures are unknown comes last of the largest", () => {
  const queue = (name: string, waiting?: number, oldest_age_s: number | null = null) =>
    ({
      name,
      figures: waiting === undefined ? null : { waiting, delayed: 0, in_flight: 0, oldest_age_s },
    }) as ListedQueue;
  const queues = [queue("b", 2, 7), queue("unknown"), queue("a", 2, 90), queue("c", 5), queue("empty", 0)];
  const names = (search: string) => inOrder(queues, orderIn(search)).map(({ name }) => name);
  expect(names("")).toEqual(["c", "a", "b", "empty", "unknown"]);
  expect(names("sort=name&order=desc")).toEqual(["unknown", "empty", "c", "b", "a"]);
  expect(names("sort=oldest").slice(0, 2)).toEqual(["a", "b"]);
});
