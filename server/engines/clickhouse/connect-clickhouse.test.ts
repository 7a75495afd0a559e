import { expect, inject, test } from "vitest";
import { checkVersion, connectClickHouse } from "./connect-clickhouse";

test("connects, and returns numbers above 2^53 exactly", async () => {
  const { client, close } = await connectClickHouse(inject("clickhouseUrl"));
  const answer = await client.query({ query: "SELECT toUInt64('18446744073709551615') AS n", format: "JSONEachRow" });
  expect(await answer.json()).toEqual([{ n: "18446744073709551615" }]);
  await close();
});

test("reports in one sentence that the server does not respond, without the password", async () => {
  const refused = connectClickHouse("http://someone:secret@127.0.0.1:1/svc");
  await expect(refused).rejects.toThrow(
    /^ClickHouse at 127\.0\.0\.1:1 does not respond \(.+\); check CLICKHOUSE_URL\.$/,
  );
  await expect(refused).rejects.not.toThrow("secret");
});

test("reports that the database does not exist", async () => {
  const url = new URL(inject("clickhouseUrl"));
  url.pathname = "/no_such_database";
  await expect(connectClickHouse(url.href)).rejects.toThrow("no_such_database");
});

test.each(["24.7.9.1", "23.12.1.1", "18.16.1", ""])("rejects version %j", (version) => {
  expect(() => checkVersion(version, "db:8123")).toThrow(`ClickHouse at db:8123 is version ${version}; svc needs 24.8`);
});

test.each(["24.8.1.1", "24.12.3.4", "25.1.1.1", "26.7.2.1"])("accepts version %j", (version) => {
  expect(() => checkVersion(version, "db:8123")).not.toThrow();
});

test("a query that exceeds the memory limit is unavailable; a syntax error stays an error", async () => {
  const { client, close } = await connectClickHouse(inject("clickhouseUrl"));
  const ask = (query: string) => client.query({ query }).then((answer) => answer.json());
  const heavy = "SELECT groupArray(number) FROM numbers(10000000) SETTINGS max_memory_usage = 1000000";
  await expect(ask(heavy)).rejects.toMatchObject({ code: "unavailable", details: { reason: "clickhouse_away" } });
  await expect(ask("SELEC 1")).rejects.toMatchObject({ code: "62" });
  await close();
});
