import { connect } from "../connect";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { type WatchedUntil, watchPod } from "./watch-pod";

interface WatchFlags {
  json?: boolean;
  "base-url"?: string;
}

/** `svc pods watch`: what happens to a pod, until it has ended or is ready. */
export async function podWatch({ input, flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as WatchFlags;
  const { stop, end } = io.interruption?.() ?? { stop: new AbortController().signal, end: undefined };
  try {
    return await watchPod(String(input.id), {
      io,
      stop,
      output: io.stdout,
      asJson: flags.json === true,
      call: connect("platform", flags["base-url"], io),
      until: (input.until ?? "ended") as WatchedUntil,
    });
  } finally {
    end?.();
  }
}
