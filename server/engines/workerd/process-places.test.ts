import { expect, test } from "vitest";
import { ProcessPlaces } from "./process-places";

const places = (limits = {}) =>
  new ProcessPlaces({ processesMax: 9, placesWaitingMax: 2, placeWaitMs: 60_000, ...limits });

test("a tenant that takes all it can leaves places to others, waits for itself, and the one with the fewest is next", async () => {
  const shared = places({ processesMax: 3 });
  const a = await shared.take("a");
  const order: string[] = [];
  const waiting = async (tenant: string) => {
    const release = await shared.take(tenant);
    order.push(tenant);
    return release;
  };
  const second = waiting("a");
  const b = await shared.take("b");
  const c = await shared.take("c");
  const [third, d] = [waiting("a"), waiting("d")];
  await expect(shared.take("a")).rejects.toMatchObject({ reason: "busy" });
  b();
  await d;
  expect(order).toEqual(["d"]);
  a();
  c();
  (await second)();
  (await third)();
  expect(order).toEqual(["d", "a", "a"]);
});

test("a tenant that waits too long fails as busy, and a place is given back once", async () => {
  const shared = places({ processesMax: 1, placeWaitMs: 20 });
  const release = await shared.take("a");
  await expect(shared.take("a")).rejects.toMatchObject({ reason: "busy" });
  release();
  release();
  await shared.take("b");
  await expect(shared.take("c")).rejects.toMatchObject({ reason: "busy" });
});
