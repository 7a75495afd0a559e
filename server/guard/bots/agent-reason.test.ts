import crawlers from "crawler-user-agents";
import { describe, expect, test } from "vitest";
import { agentReason } from "./agent-reason";
import { BROWSERS } from "./browsers.fixture";

describe("agents", () => {
  test("at least 99.5 % of known crawlers are detected", () => {
    const agents = [...new Set(crawlers.flatMap(({ instances }) => instances))];
    expect(agents.length).toBeGreaterThan(2000);
    const missed = agents.filter((agent) => agentReason(agent) === "");
    expect(1 - missed.length / agents.length, missed.join("\n")).toBeGreaterThanOrEqual(0.995);
  });

  test("no current browser is classified as a bot", () => {
    expect(new Set(BROWSERS).size).toBeGreaterThanOrEqual(100);
    expect(BROWSERS.filter((agent) => agentReason(agent) !== "")).toEqual([]);
  });

  test.each([
    ["", "no_agent"],
    ["   ", "no_agent"],
    ["curl/8.9.1", "bot"],
    ["python-requests/2.32.0", "bot"],
    ["Go-http-client/2.0", "bot"],
    ["okhttp/4.12.0", "bot"],
    ["node", "bot"],
    ["Mozilla/5.0", "bot"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/147.0.0.0 Safari/537.36",
      "bot",
    ],
  ])("%j is %s", (agent, reason) => {
    expect(agentReason(agent)).toBe(reason);
  });

  test("a hostile agent takes no longer than a long one", () => {
    const hostile = ["(".repeat(8000), "a ".repeat(4000), `Mozilla/5.0 (${"bot".repeat(1)}${" x".repeat(4000)}`];
    for (const agent of hostile) expect(["", "bot", "no_agent"]).toContain(agentReason(agent));
  });
});
