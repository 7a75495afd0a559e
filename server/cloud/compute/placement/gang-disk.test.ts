import { expect, it } from "vitest";
import { gangDisk } from "./gang-disk";

const machines = [
  { node: "small", disksFree: 1 },
  { node: "large", disksFree: 9 },
  { node: "unknown", disksFree: null },
];
const on = (...nodes: string[]) => nodes.map((node) => ({ node }));

it("a gang waits where a machine does not have the disk for all pods that it would run, and says how much is free", () => {
  expect(gangDisk(machines, on("small", "large", "large", "unknown", "unknown", "simulated"))).toBeUndefined();
  expect(gangDisk(machines, on("large", "small", "small"))).toEqual({
    code: "no_disk",
    message: "Its pods on small need 512 MiB of disk; 256 MiB are free there.",
  });
});
