import { Readable } from "node:stream";
import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { CallOptions } from "../../../operation/operation";
import { Reply } from "../../../operation/reply";
import { operation } from "../../cloud-operation";
import { isActive } from "../pod-records/pod-states";
import { podChoice } from "../pod-requests/pod-fields";
import { findPod } from "./find-pod";
import { podExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";
import { reachRun } from "./reach-run";
import { type LogSource, readLogText } from "./redacted-logs";
import { replyWithLogs } from "./reply-with-logs";

const TAIL_BYTES_MAX = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;

const tailBytes = z.coerce
  .number()
  .int()
  .min(1)
  .max(TAIL_BYTES_MAX)
  .default(TAIL_BYTES)
  .describe("How much of the newest output to return, 1 byte to 1 MiB; default 64 KiB");
const follow = z
  .preprocess((value: unknown) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
  .optional()
  .describe("true: respond with server-sent events until the run ends");

const PodLogs = z.object({
  run: z.int().describe("The number of the run"),
  text: z.string().describe("Standard output and standard error, in the order of arrival"),
  ended: z.boolean().describe("Whether the run has ended, and no output follows"),
});

const DESCRIPTION =
  "Standard output and standard error of the last run, of which the newest 14 to 16 MiB are kept until the pod is started again, deleted, or 30 days old. Values of secrets of at least 8 characters that the pod received are replaced by `[redacted]`; a value that the program changed before it printed it is not found. With `follow` each event has `text`, and the last one `ended: true`.";

/** Returns the output of a pod's last run, or follows it. Throws `not_found`, and `unavailable` (reason `node_unreachable`). */
export const getPodLogs = operation({
  id: "getPodLogs",
  summary: "Get the output of a pod",
  description: DESCRIPTION,
  access: "pods:read",
  mayStream: 'data: {"text":"epoch 1\\n"}\n\ndata: {"ended":true}\n\n',
  input: z.strictObject({ ...podChoice, tail_bytes: tailBytes, follow }),
  output: PodLogs,
  example: { input: { id: podExample.id }, output: { run: 1, text: "epoch 1\n", ended: false } },
  run: (ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">, input, options) =>
    readLogs(ctx, input, options),
});

/** The same without `follow`, for the dashboard, whose queries return JSON. */
export const readPodLogs = operation({
  id: "readPodLogs",
  summary: "Get the output of a pod so far",
  access: "pods:read",
  input: z.strictObject({ ...podChoice, tail_bytes: tailBytes }),
  output: PodLogs,
  example: { input: { id: podExample.id }, output: { run: 1, text: "epoch 1\n", ended: false } },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns">, { id, tail_bytes }) => {
    const { source, run, ended } = await sourceOf(ctx, id);
    return { run, text: await readLogText(source, tail_bytes), ended };
  },
});

interface Asked {
  id: string;
  tail_bytes: number;
  follow?: boolean | undefined;
}

async function readLogs(
  ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">,
  asked: Asked,
  options?: CallOptions,
) {
  const { source, run, ended } = await sourceOf(ctx, asked.id);
  if (!asked.follow) return { run, text: await readLogText(source, asked.tail_bytes), ended };
  const release = ctx.podRuns.follow(ctx.actor.tenantId);
  const body = replyWithLogs(source, {
    tailBytes: asked.tail_bytes,
    onEnd: release,
    signals: [ctx.stopping, options?.signal],
  });
  return new Reply(body);
}

async function sourceOf(
  ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns">,
  id: string,
): Promise<{ source: LogSource; run: number; ended: boolean }> {
  const pod = await findPod(ctx, id);
  const reached = await reachRun(ctx, pod);
  const [run, ended] = [pod.runNumber, !isActive(pod.status)];
  if (!reached) return { source: { open: () => Readable.from([]), secrets: [] }, run, ended };
  const open: LogSource["open"] = (options) => reached.runtime.logs(reached.run.id, options);
  return { source: { open, secrets: reached.secrets }, run, ended };
}
