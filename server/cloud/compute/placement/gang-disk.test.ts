import { expect, it } from "vitest";
import { gangDisk } from "./gang-disk";

const nodes = [
  { node: "small", disksFree: 1 },
  { node: "large", disksFree: 9 },
  { node: "unknown", disksFree: null },
];
const on = (...nodes: string[]) => nodes.map((node) => ({ node }));

it("a gang waits where a node does not have the disk for all pods that it would run, and says how much is free", () => {
  expect(gangDisk(nodes, on("small", "large", "large", "unknown", "unknown", "simulated"))).toBeUndefined();
  expect(gangDisk(nodes, on("large", "small", "small"))).toEqual({
    code: "no_disk",
    message: "Its pods on small need 512 MiB of disk; 256 MiB are free there.",
  });
});
