import { expect, it } from "vitest";
import { PortConnections } from "./port-connections";

it("the connections to a tenant's ports leave room to those of others, and a client has no more than its own", () => {
  const connections = new PortConnections({ max: 3, exemptsLoopback: false }, 30);
  const opened = Array.from({ length: 30 }, (_, i) => connections.open("a", `10.0.0.${i}`));
  expect(opened.filter((close) => close !== undefined)).toHaveLength(10);
  expect(connections.open("b", "10.0.1.1")).toBeDefined();
  opened[0]?.();
  expect(connections.open("a", "10.0.0.0")).toBeDefined();
  const own = Array.from({ length: 4 }, () => connections.open("c", "10.0.2.1") !== undefined);
  expect(own).toEqual([true, true, true, false]);
});
