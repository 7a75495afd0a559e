import type { Flag } from "../command-syntax";
import type { WatchedUntil } from "./watch-pod";

const WATCHED: Readonly<Record<string, WatchedUntil>> = {
  "pods create": "ready",
  "pods start": "ready",
  "pods stop": "ended",
};

/** What a command with `--watch` waits for; undefined: it has no such flag. */
export const watchedUntil = ({ noun, verb }: { noun: string; verb: string }): WatchedUntil | undefined =>
  WATCHED[`${noun} ${verb}`];

/** The flag of a command that changes a pod. */
export const watchFlag = (until: WatchedUntil): Flag => ({
  name: "watch",
  kind: "boolean",
  description: `Print what happens until the pod ${until === "ready" ? "is ready" : "has ended"}; status 1 if it fails`,
});
