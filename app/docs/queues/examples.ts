/** A consumer with the SDK. */
export const WORKER = `import { SvcClient } from "@svc/sdk";
import { work } from "./work.js";

const svc = new SvcClient({ baseUrl: process.env.SVC_URL, key: process.env.SVC_KEY });
const q = "jobs";

for (;;) {
  const { data: messages } = await svc.queues.receive({ q, max_messages: 10, wait_seconds: 20 });
  for (const [i, { body, receipt }] of messages.entries()) {
    try {
      await work(body);
    } catch (error) {
      console.error(error);
      // With the messages behind it, so that none of them overtakes it.
      const receipts = messages.slice(i).map((message) => message.receipt);
      await svc.queues.return({ q, receipts, delay_seconds: 30 });
      break;
    }
    await svc.queues.acknowledge({ q, receipts: [receipt] });
  }
}`;

export const CONSUME = `svc queues create --name jobs --visibility-timeout 60s
svc queues consume jobs --concurrency 4 -- ./work.sh`;

export const WORK = `#!/bin/sh
# The body is on standard input. Exit status 0 acknowledges the message, any other returns it.
set -e
body=$(cat)
echo "$SVC_MESSAGE_ID, receive $SVC_RECEIVE_COUNT: $body"`;

export const LEASE_EXPIRED = `{
  "error": {
    "code": "conflict",
    "message": "The lease of this message has ended: it became visible again, or was acknowledged or returned before. Receive it again.",
    "request_id": "req_d8dcf73d39d4fddde53bd303",
    "param": "receipt",
    "details": { "reason": "lease_expired" }
  }
}`;
