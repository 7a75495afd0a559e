import { z } from "zod";
import { ModeName } from "../../../identity/wire-text";
import { ChatSums } from "../../ai/ledger/chat-sums";

const Count = z.int().min(0);

export const MetricsSummary = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime().describe("Now"),
    mode: ModeName,
    currency: z.string(),
    pods: z.object({
      running: Count.describe("Pods that run now"),
      waiting: Count.describe("Pods that wait for capacity or start now"),
      gpus: Count.describe("GPUs of the pods that run now"),
      runs_started: Count,
      runs_ended: Count,
      seconds: Count.describe("Metered seconds of all pods"),
      gpu_seconds: Count.describe("The same for each GPU"),
    }),
    chat: ChatSums.describe("Of requests that began in the period"),
    queues: z.object({
      sent: Count,
      received: Count.describe("Deliveries of messages, repeated ones included"),
      acknowledged: Count,
      messages: Count.describe("In all queues when they were last measured, at the latest a minute ago"),
    }),
    storage: z.object({
      buckets: Count,
      objects: Count.describe("Keys with a current version now"),
      bytes: Count.describe("Bytes of all versions and of the parts of unfinished uploads now"),
    }),
    webhooks: z.object({
      succeeded: Count.describe("Deliveries that ended with success"),
      failed: Count.describe("Deliveries without success after all attempts"),
      pending: Count.describe("Deliveries that have not ended"),
    }),
  })
  .meta({ id: "MetricsSummary" });
export type MetricsSummary = z.output<typeof MetricsSummary>;
