import { expect, it } from "vitest";
import { readConfig } from "./config";

it("has defaults for everything: loopback and embedded engines", () => {
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
  [{ SVC_WAL_MAX_MB: "0" }, /SVC_WAL_MAX_MB: expected a whole number of megabytes from 1/],
  [{ EMBEDDINGS_URL: "localhost:11434" }, /EMBEDDINGS_URL: expected a URL that begins with http:\/\/ or https:\/\//],
  [{ EMBEDDINGS_URL: "http://u:p@h/v1" }, /EMBEDDINGS_URL: expected a base URL without a user name/],
  [{ EMBEDDINGS_URL: "http://h/v1?key=s" }, /EMBEDDINGS_URL: expected a base URL without a user name/],
  [{ EMBEDDINGS_API_KEY: "two words" }, /EMBEDDINGS_API_KEY: expected printable ASCII/],
  [{ EMBEDDINGS_COSINE_MIN: "2" }, /EMBEDDINGS_COSINE_MIN: expected a number from 0 to 1/],
  [{ EMBEDDINGS_COSINE_MIN: "high" }, /EMBEDDINGS_COSINE_MIN: expected a number from 0 to 1/],
  [{ EMBEDDINGS_URL: "http://h/v1" }, /EMBEDDINGS_URL and EMBEDDINGS_MODEL belong together/],
  [{ EMBEDDINGS_MODEL: "m" }, /EMBEDDINGS_URL and EMBEDDINGS_MODEL belong together/],
  [{ SVC_OBJECTS_DISK_SHARE: "0" }, /SVC_OBJECTS_DISK_SHARE: expected a number above 0 and up to 1, such as 0.95/],
  [{ SVC_OBJECTS_DISK_SHARE: "80%" }, /SVC_OBJECTS_DISK_SHARE: expected a number above 0 and up to 1, such as 0.95/],
  [{ S3_ENDPOINT: "s3.example" }, /S3_ENDPOINT: expected a URL that begins with http:\/\/ or https:\/\//],
  [{ S3_ENDPOINT: "https://user:password@s3.example" }, /S3_ENDPOINT: expected a URL .* without a user name/],
  [{ S3_ENDPOINT: "https://s3.example", S3_BUCKET: "b" }, /set S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY too, or leave/],
  [{ S3_REGION: "eu-west-1" }, /S3_ENDPOINT, .* belong together: set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID/],
  [{ S3_FORCE_PATH_STYLE: "yes" }, /S3_FORCE_PATH_STYLE/],
  [{ SVC_WEB_PROCESSES: "0" }, /SVC_WEB_PROCESSES: expected a whole number from 1 to 64/],
  [{ SVC_WEB_PROCESSES: "-1" }, /SVC_WEB_PROCESSES: expected a whole number from 1 to 64/],
  [{ SVC_WEB_PROCESSES: "1.5" }, /SVC_WEB_PROCESSES: expected a whole number from 1 to 64/],
  [{ SVC_WEB_PROCESSES: "abc" }, /SVC_WEB_PROCESSES: expected a whole number from 1 to 64/],
  [{ SVC_WEB_PROCESSES: "1000" }, /SVC_WEB_PROCESSES: expected a whole number from 1 to 64/],
])("names the invalid variable of %j in one sentence", (env, expected) => {
  expect(() => readConfig({ NODE_ENV: "test", ...env })).toThrowError(expected);
});

it("requires a secret when the database is not embedded", () => {
  const env = { NODE_ENV: "test", DATABASE_URL: "postgres://u:p@db/svc" } as const;
  expect(() => readConfig(env)).toThrowError(/SVC_SECRET is required with DATABASE_URL/);
  expect(readConfig({ ...env, SVC_SECRET: "x".repeat(32) }).databaseUrl).toBe(env.DATABASE_URL);
});

it("treats an empty variable as missing and removes a trailing slash from PUBLIC_URL", () => {
  const config = readConfig({ NODE_ENV: "test", PORT: "", PUBLIC_URL: "https://SVC.example:443/" });
  expect(config).toMatchObject({ port: 3000, publicUrl: "https://svc.example", isLoopback: false });
});

it("lets only invited people sign up where others reach svc, unless SVC_SIGNUP says otherwise", () => {
  const env = { NODE_ENV: "test", PUBLIC_URL: "https://svc.example" } as const;
  expect(readConfig(env).signup).toBe("invite");
  expect(readConfig({ ...env, SVC_SIGNUP: "open" }).signup).toBe("open");
  expect(readConfig({ NODE_ENV: "test", SVC_SIGNUP: "invite" }).signup).toBe("invite");
});

it("has no semantic engine by default, and needs a URL and a model for one", () => {
  expect(readConfig({ NODE_ENV: "test" }).embeddings).toBeUndefined();
  const env = { NODE_ENV: "test", EMBEDDINGS_URL: "http://localhost:11434/v1", EMBEDDINGS_MODEL: "nomic" } as const;
  expect(readConfig(env).embeddings).toEqual({
    url: env.EMBEDDINGS_URL,
    model: "nomic",
    apiKey: undefined,
    cosineMin: 0.6,
  });
});

it("does not repeat a secret that it rejects", () => {
  const secret = "sk very secret";
  const read = () => readConfig({ NODE_ENV: "test", EMBEDDINGS_API_KEY: secret });
  expect(read).toThrowError(expect.objectContaining({ message: expect.not.stringContaining(secret) }));
});

it("accepts roles separated by spaces and commas", () => {
  expect([...readConfig({ NODE_ENV: "test", ROLE: "worker, web" }).roles]).toEqual(["worker", "web"]);
});

it("requires every engine to be shared if the counters are", () => {
  const shared = { NODE_ENV: "test", SVC_SECRET: "x".repeat(32), REDIS_URL: "redis://r" } as const;
  const [DATABASE_URL, CLICKHOUSE_URL] = ["postgres://u:p@db/svc", "http://ch:8123"];
  for (const part of [{}, { DATABASE_URL }, { CLICKHOUSE_URL }]) {
    expect(() => readConfig({ ...shared, ...part })).toThrowError(/REDIS_URL .*: set DATABASE_URL and CLICKHOUSE_URL/);
  }
  expect(readConfig({ ...shared, DATABASE_URL, CLICKHOUSE_URL }).redisUrl).toBe("redis://r");
});

it("requires Redis, but no engine of one's own, for several web processes", () => {
  const env = { NODE_ENV: "test", SVC_WEB_PROCESSES: "4" } as const;
  expect(() => readConfig(env)).toThrowError(/SVC_WEB_PROCESSES=4 requires REDIS_URL.*: set it to a Redis/);
  const config = readConfig({ ...env, REDIS_URL: "redis://r" });
  expect(config).toMatchObject({ webProcesses: 4, redisUrl: "redis://r", databaseUrl: undefined });
  expect(readConfig({ NODE_ENV: "test", SVC_WEB_PROCESSES: "1" }).webProcesses).toBe(1);
});

it.each([
  [{ ROLE: "worker" }, /SVC_WEB_PROCESSES .*: add web to ROLE/],
  [{ SVC_DEV: "on" }, /npm run dev runs one process: leave SVC_WEB_PROCESSES out/],
])("has no several web processes with %j", (env, expected) => {
  const several = { NODE_ENV: "test", SVC_WEB_PROCESSES: "2", REDIS_URL: "redis://r" } as const;
  expect(() => readConfig({ ...several, ...env })).toThrowError(expected);
});

it("takes an external object store, with path style by default", () => {
  const keys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
  const { s3 } = readConfig({ NODE_ENV: "test", S3_ENDPOINT: "https://s3.example", S3_BUCKET: "blobs", ...keys });
  expect(s3).toEqual({
    endpoint: "https://s3.example",
    region: "us-east-1",
    bucket: "blobs",
    forcePathStyle: true,
    accessKeyId: "id",
    secretAccessKey: "secret",
  });
  const none = readConfig({ NODE_ENV: "test" });
  expect([none.s3, none.objectsDiskShare]).toEqual([undefined, 0.95]);
});

it("gives code of tenants domains on localhost by default, and takes none that shares cookies with svc", () => {
  const domainsOf = (more: object) => {
    const { edgeDomain, workspacesDomain } = readConfig({ NODE_ENV: "test", ...more });
    return [edgeDomain, workspacesDomain];
  };
  const PUBLIC_URL = "https://svc.example.com";
  expect(domainsOf({})).toEqual(["edge.localhost", "workspaces.localhost"]);
  expect(domainsOf({ PUBLIC_URL })).toEqual([undefined, undefined]);
  const own = { EDGE_DOMAIN: "Edge.example", WORKSPACES_DOMAIN: "Spaces.example" };
  expect(domainsOf({ PUBLIC_URL, ...own })).toEqual(["edge.example", "spaces.example"]);
  for (const variable of ["EDGE_DOMAIN", "WORKSPACES_DOMAIN"])
    for (const domain of ["svc.example.com", "w.svc.example.com", "example.com"])
      expect(() => domainsOf({ PUBLIC_URL, [variable]: domain })).toThrow(`${variable}=${domain} must be apart`);
  expect(() => domainsOf({ PUBLIC_URL, ...own, WORKSPACES_DOMAIN: "a.edge.example" })).toThrow("must be apart");
});

it("has no host of the S3 endpoint by default, and takes one that PUBLIC_URL is not below", () => {
  expect(readConfig({ NODE_ENV: "test" }).s3Host).toBeUndefined();
  const PUBLIC_URL = "https://svc.example.com";
  expect(readConfig({ NODE_ENV: "test", PUBLIC_URL, S3_HOST: "S3.svc.example.com" }).s3Host).toBe("s3.svc.example.com");
  for (const S3_HOST of ["svc.example.com", "example.com"]) {
    expect(() => readConfig({ NODE_ENV: "test", PUBLIC_URL, S3_HOST })).toThrow(
      /S3_HOST=.* would take the requests for PUBLIC_URL/,
    );
  }
  for (const S3_HOST of ["s3.example.com:9000", "https://s3.example.com", "*.example.com"]) {
    expect(() => readConfig({ NODE_ENV: "test", S3_HOST })).toThrow(/S3_HOST: expected a host name without a port/);
  }
});
