import { QueryObserver } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { expect, it } from "vitest";
import { createQueryClient } from "./query-client";

const failed = (code: string) =>
  new TRPCClientError("refused", {
    result: {
      error: {
        code: -32_600,
        message: "refused",
        data: { code: "X", httpStatus: 400, failure: { code, message: "", request_id: "r" } },
      },
    },
  } as never);

it("asks again after a failure that passes by itself, and never after a refusal of too many requests", () => {
  const { retry } = createQueryClient().getDefaultOptions().queries ?? {};
  if (typeof retry !== "function") throw new Error("queries have no rule for retries");
  expect(["unavailable", "internal"].map((code) => retry(0, failed(code)))).toEqual([true, true]);
  expect(["rate_limited", "invalid_request"].map((code) => retry(0, failed(code)))).toEqual([false, false]);
  expect(retry(2, failed("unavailable"))).toBe(false);
});

it("shows what was written although a first load that began before it ends after it", async () => {
  const client = createQueryClient();
  const stored: string[] = [];
  const loads: { finish: () => void }[] = [];
  const load = () => {
    const read = [...stored];
    return new Promise<string[]>((resolve) => loads.push({ finish: () => resolve(read) }));
  };
  const list = new QueryObserver(client, { queryKey: ["list"], queryFn: load });
  const stop = list.subscribe(() => undefined);
  const write = client.getMutationCache().build(client, {
    mutationFn: async () => {
      stored.push("written");
    },
  });
  const written = write.execute(undefined);
  await expect.poll(() => loads).toHaveLength(2);
  for (const { finish } of loads.reverse()) finish();
  await written;
  await expect.poll(() => list.getCurrentResult().data).toEqual(["written"]);
  stop();
});

it("does not load again what is on screen when its page is left, but when it is shown next", async () => {
  const client = createQueryClient();
  let loads = 0;
  const load = async () => ++loads;
  const list = new QueryObserver(client, { queryKey: ["list"], queryFn: load });
  const stop = list.subscribe(() => undefined);
  await expect.poll(() => list.getCurrentResult().data).toBe(1);
  const archive = { mutationFn: async () => undefined, meta: { leaves: true } } as const;
  await client.getMutationCache().build(client, archive).execute(undefined);
  expect([loads, list.getCurrentResult().isStale]).toEqual([1, true]);
  stop();
  const next = new QueryObserver(client, { queryKey: ["list"], queryFn: load });
  const stopNext = next.subscribe(() => undefined);
  await expect.poll(() => next.getCurrentResult().data).toBe(2);
  stopNext();
});
