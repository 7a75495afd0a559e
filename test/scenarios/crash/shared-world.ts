import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { startClickHouse } from "../../../server/engines/clickhouse/start-clickhouse";
import { startPostgres } from "../../../server/engines/postgres/start-postgres";
import { type RedisServer, startRedisServer } from "../../contract/redis-server";
import { freePort } from "../../factories/free-port";
import { processTree } from "../../factories/process-tree";
import { makeEmptyPlace, type Place, type ServerProcess, startProcess } from "./server-process";
import { makeSmallDisk, type SmallDisk } from "./small-disk";
import type { Rows } from "./traffic";

const rootDir = path.resolve(import.meta.dirname, "../../..");

/** Two web processes and a worker of one installation, on one Postgres, ClickHouse and Redis that run outside of them. */
export interface SharedWorld extends Rows {
  readonly webs: readonly [ServerProcess, ServerProcess];
  readonly worker: ServerProcess;
  redis: RedisServer;
  /** Holds the files of both engines and of all processes, but not of Redis. */
  disk: SmallDisk;
  postgresPids(): number[];
  clickhousePids(): number[];
  /** Starts a web process again on its own data directory and port. */
  restartWeb(index: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

type ProcessPlace = Omit<Place, "remove">;

export async function makeSharedWorld(diskMegabytes: number): Promise<SharedWorld> {
  const closes: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closes.splice(0).reverse()) await each();
  };
  try {
    const disk = makeSmallDisk(diskMegabytes);
    closes.push(disk.remove);
    const engines = await startEngines(disk.dir, closes);
    const place = await makeEmptyPlace();
    closes.push(place.remove);
    const places = await placesOf(place, { disk, env: engines.env });
    const [first, second, worker] = await startProcesses(places);
    const webs: [ServerProcess, ServerProcess] = [first, second];
    closes.push(() => Promise.all([...webs, worker].map((server) => server.stop())));
    return {
      webs,
      worker,
      disk,
      close,
      redis: engines.redis,
      postgresPids: engines.postgresPids,
      clickhousePids: engines.clickhousePids,
      restartWeb: async (index) => {
        webs[index] = await startAgain(places[index]);
      },
      rows: async (engine, query) =>
        engine === "wal" ? [{ waiting: await waitingIn([...webs, worker]) }] : worker.rows(engine, query),
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

async function startEngines(dir: string, closes: (() => unknown)[]) {
  const postgresDir = path.join(dir, "engines");
  mkdirSync(postgresDir, { mode: 0o700 });
  const [postgres, clickhouse, redis] = await Promise.all([
    startPostgres({ rootDir, dataDir: postgresDir, settings: { max_wal_size: "64MB", min_wal_size: "32MB" } }),
    startClickHouse({ rootDir, dir: path.join(dir, "clickhouse") }),
    startRedisServer(),
  ]);
  closes.push(postgres.stop, clickhouse.stop, redis.close);
  const pidFile = path.join(postgresDir, "postgres/postmaster.pid");
  return {
    redis,
    env: { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url, REDIS_URL: redis.url },
    postgresPids: () => processTree(Number.parseInt(readFileSync(pidFile, "utf8"), 10)),
    clickhousePids: () => [clickhouse.pid],
  };
}

async function placesOf(
  { program, port }: Place,
  { disk, env }: { disk: SmallDisk; env: Record<string, string> },
): Promise<[ProcessPlace, ProcessPlace, ProcessPlace]> {
  const shared = {
    ...env,
    SVC_SECRET: randomBytes(32).toString("hex"),
    PUBLIC_URL: `http://localhost:${port}`,
    // So that a campaign without a rival pays, whatever the auction asks of it.
    SVC_RESERVE_CPC_MICROS: "300000",
    SVC_RESERVE_CPM_MICROS: "3000000",
  };
  const placeOf = async (name: string, role: string, own?: number): Promise<ProcessPlace> => ({
    program,
    port: own ?? (await freePort()),
    dataDir: path.join(disk.dir, name),
    env: { ...shared, ROLE: role },
  });
  return [await placeOf("web-0", "web", port), await placeOf("web-1", "web"), await placeOf("worker", "worker")];
}

/** The first one makes the demo; without its file the others would replace the demo's keys. */
async function startProcesses(places: readonly [ProcessPlace, ProcessPlace, ProcessPlace]) {
  const [place, ...others] = places;
  const first = await startProcess(place);
  for (const { dataDir } of others) {
    mkdirSync(dataDir, { mode: 0o700 });
    cpSync(path.join(place.dataDir, "demo.json"), path.join(dataDir, "demo.json"));
  }
  const [second, worker] = await Promise.all([startProcess(others[0]), startProcess(others[1])]);
  return [first, second, worker] as const;
}

/** On a busy machine Postgres may take longer than a start waits; what runs svc then starts it once more. */
async function startAgain(place: ProcessPlace, triesLeft = 5): Promise<ServerProcess> {
  try {
    return await startProcess(place);
  } catch (failure) {
    if (triesLeft <= 1) throw failure;
    return startAgain(place, triesLeft - 1);
  }
}

async function waitingIn(servers: readonly ServerProcess[]): Promise<number> {
  const found = await Promise.all(servers.map((server) => server.rows("wal")));
  return found.reduce((sum, [wal]) => sum + Number(wal?.waiting), 0);
}
