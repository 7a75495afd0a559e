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
  const config = readConfig({ NODE_ENV: "test", PORT: "", PUBLIC_URL: "https://svc.example/base/" });
  expect(config).toMatchObject({ port: 3000, publicUrl: "https://svc.example/base", isLoopback: false });
});
