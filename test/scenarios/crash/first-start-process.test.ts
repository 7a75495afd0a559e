import { expect, it } from "vitest";
import { makeEmptyPlace, type ServerProcess, startKilled, startProcess } from "./server-process";
import { askOffers } from "./traffic";

/** From the empty data directory to the first answer takes two to four seconds: each start comes further than the last. */
const KILLED_AFTER_MS = [300, 1000, 2000];

it("a first start that is killed again and again, from initdb to the demo, works when it is left alone", async () => {
  const place = await makeEmptyPlace();
  let server: ServerProcess | undefined;
  try {
    for (const afterMs of KILLED_AFTER_MS) await startKilled(place, afterMs + Math.random() * 300);
    server = await startProcess(place);
    expect((await askOffers(server))?.length).toBeGreaterThan(0);
    const [demos] = await server.rows("postgres", "SELECT count(*)::int AS n FROM tenants WHERE is_demo");
    expect(demos).toEqual({ n: 1 });
    const [applied] = await server.rows("clickhouse", "SELECT count() AS n FROM schema_migrations FINAL");
    expect(Number(applied?.n)).toBeGreaterThan(0);
  } finally {
    await server?.stop();
    place.remove();
  }
}, 400_000);
