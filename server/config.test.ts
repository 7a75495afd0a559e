import { expect, it } from "vitest";
import { readConfig } from "./config";

it("runs on defaults alone, on loopback, with everything embedded", () => {
  const config = readConfig({ NODE_ENV: "test" });
  expect(config).toMatchObject({ port: 3000, publicUrl: "http://localhost:3000", isLoopback: true, signup: "open" });
  expect(config.databaseUrl).toBeUndefined();
  expect([...config.roles]).toEqual(["web", "worker"]);
});

it.each([
  [{ PORT: "70000" }, /PORT/],
  [{ PORT: "three" }, /PORT/],
  [{ PUBLIC_URL: "localhost:3000" }, /PUBLIC_URL: expected a URL that begins with http:\/\/ or https:\/\//],
  [{ DATABASE_URL: "mysql://x/y" }, /DATABASE_URL: expected a URL that begins with postgres:\/\/ or postgresql:\/\//],
  [{ PUBLIC_URL: "svc.example" }, /PUBLIC_URL: expected a URL that begins with http/],
  [{ PUBLIC_URL: "https://svc.example/base" }, /PUBLIC_URL: expected no path, query or fragment/],
  [{ PUBLIC_URL: "https://svc.example/?a=b" }, /PUBLIC_URL: expected no path, query or fragment/],
  [{ PUBLIC_URL: "https://svc.example/#top" }, /PUBLIC_URL: expected no path, query or fragment/],
  [{ ROLE: "web,scheduler" }, /ROLE/],
  [{ SVC_SECRET: "short" }, /SVC_SECRET: expected at least 32 characters/],
  [{ SVC_DEMO: "yes" }, /SVC_DEMO/],
  [{ SVC_CURRENCY: "dollars" }, /SVC_CURRENCY: expected an ISO 4217 code/],
  [{ SVC_PUBLISHER_SHARE: "70" }, /SVC_PUBLISHER_SHARE/],
])("names the wrong variable of %j in one sentence", (env, expected) => {
  expect(() => readConfig({ NODE_ENV: "test", ...env })).toThrowError(expected);
});

it("asks for a secret of its own as soon as the database is somebody else's", () => {
  const env = { NODE_ENV: "test", DATABASE_URL: "postgres://u:p@db/svc" } as const;
  expect(() => readConfig(env)).toThrowError(/SVC_SECRET is required with DATABASE_URL/);
  expect(readConfig({ ...env, SVC_SECRET: "x".repeat(32) }).databaseUrl).toBe(env.DATABASE_URL);
});

it("takes an empty variable for a missing one and a trailing slash off PUBLIC_URL", () => {
  const config = readConfig({ NODE_ENV: "test", PORT: "", PUBLIC_URL: "https://SVC.example:443/" });
  expect(config).toMatchObject({ port: 3000, publicUrl: "https://svc.example", isLoopback: false });
});

it("takes roles with spaces between them", () => {
  expect([...readConfig({ NODE_ENV: "test", ROLE: "worker, web" }).roles]).toEqual(["worker", "web"]);
});

it("wants every engine shared as soon as the counters are", () => {
  const shared = { NODE_ENV: "test", SVC_SECRET: "x".repeat(32), REDIS_URL: "redis://r" } as const;
  const [DATABASE_URL, CLICKHOUSE_URL] = ["postgres://u:p@db/svc", "http://ch:8123"];
  for (const part of [{}, { DATABASE_URL }, { CLICKHOUSE_URL }]) {
    expect(() => readConfig({ ...shared, ...part })).toThrowError(/REDIS_URL .*: set DATABASE_URL and CLICKHOUSE_URL/);
  }
  expect(readConfig({ ...shared, DATABASE_URL, CLICKHOUSE_URL }).redisUrl).toBe("redis://r");
});
