import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Counters } from "../../server/engines/counters/counters";
import { connectRedisCounters } from "../../server/engines/counters/redis-counters";
import { startRedisServer } from "../contract/redis-server";
import { testClickHouse } from "../factories/clickhouse";
import { freePort } from "../factories/free-port";
import { type TestDatabase, testDatabase } from "../factories/postgres";
import { makeEmptyPlace, type ServerProcess, startProcess } from "./crash/server-process";

/** Two server processes of one installation: one Postgres, one ClickHouse and one Redis between them. */
export interface TwoServers {
  servers: [ServerProcess, ServerProcess];
  db: TestDatabase["db"];
  /** What an operator's command has: the same Redis, in a third process. */
  counters: Counters;
  secret: string;
  close(): Promise<void>;
}

export async function startTwoServers(more: Record<string, string> = {}): Promise<TwoServers> {
  const closes: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closes.splice(0).reverse()) await each();
  };
  try {
    const [database, clickhouse, redis] = await Promise.all([testDatabase(), testClickHouse(), startRedisServer()]);
    closes.push(database.close, clickhouse.close, redis.close);
    const place = await makeEmptyPlace();
    closes.push(async () => place.remove());
    const secret = randomBytes(32).toString("hex");
    const env = {
      PUBLIC_URL: `http://localhost:${place.port}`,
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: clickhouse.url,
      REDIS_URL: redis.url,
      SVC_SECRET: secret,
      ...more,
    };
    const first = await startProcess({ ...place, env });
    closes.push(first.stop);
    const dataDir = `${place.dataDir}-2`;
    mkdirSync(dataDir);
    // Without the file the second process would take the demo's keys for lost and make new ones.
    cpSync(path.join(place.dataDir, "demo.json"), path.join(dataDir, "demo.json"));
    const second = await startProcess({ program: place.program, dataDir, port: await freePort(), env });
    closes.push(second.stop);
    const counters = await connectRedisCounters(redis.url);
    closes.push(() => counters.close());
    return { servers: [first, second], db: database.db, counters, secret, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

export interface GateQuery {
  status: number;
  headers: Headers;
  text: string;
  /** On the clock of `performance.now()`. */
  sentAt: number;
  answeredAt: number;
}

export interface Ask {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request to the platform API of one process; with `body` a POST in JSON, otherwise a GET. */
export async function ask({ url }: ServerProcess, route: string, { key, body, headers = {} }: Ask): Promise<GateQuery> {
  const sentAt = performance.now();
  const response = await fetch(`${url}${route}`, {
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, sentAt, answeredAt: performance.now() };
}
