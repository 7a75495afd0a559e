import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { CONSUME, LEASE_EXPIRED, WORK, WORKER } from "./examples";
import { LIMITS } from "./limits";
import { QuickStart } from "./quick-start";

export const metadata: Metadata = { title: "Queues" };

export default function QueuesPage() {
  return (
    <DocsPage
      title="Queues"
      lead="Messages between your programs: stored durably, delivered in order and at least once."
    >
      <Guarantees />
      <QuickStartSection
        scopes="queues"
        note=". A queue belongs to the project and the mode of the key; keys of other projects cannot see it."
      >
        <QuickStart />
      </QuickStartSection>
      <Order />
      <Leases />
      <Sending />
      <DeadLetters />
      <Receiving />
      <Workers />
      <Looking />
      <LimitsSection of="queues" rows={LIMITS} />
      <DocsSection id="edge" title="Edge queues">
        <p>
          <Code>POST /v1/edge/queues/&#123;q&#125;/send</Code>, <Code>…/receive</Code>, <Code>…/acknowledge</Code>,{" "}
          <Code>…/extend</Code> and <Code>…/return</Code> use the same queues with the same rules, for keys with the
          scope <Code>edge:write</Code>. The fields of a receive are in its JSON body. A message that was sent at the
          edge can be received under <Code>/v1/queues</Code> and the other way round.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const Guarantees = () => (
  <DocsSection id="guarantees" title="What a queue guarantees">
    <Definitions
      label="Guarantees of queues"
      rows={[
        [
          "Durable",
          "When the response to a send arrives, its messages are committed to PostgreSQL. A batch is stored as a whole or not at all.",
        ],
        [
          "At least once",
          "A message stays until a consumer acknowledges it, its retention ends, or it is deleted. It can be delivered more than once, for example when a consumer crashes after the work but before the acknowledgement. Make the work repeatable.",
        ],
        [
          "In order",
          "Messages of one group are delivered strictly in the order in which they were sent. Without groups, that is all messages of the queue.",
        ],
        [
          "One consumer at a time",
          "A received message is invisible to others for its visibility timeout. A consumer that is too late gets 409 instead of deleting a message that another one is working on.",
        ],
      ]}
    />
  </DocsSection>
);

const Order = () => (
  <DocsSection id="groups" title="Groups">
    <p>
      <Code>group_id</Code> names what has to stay in order, such as one customer or one file. While a message of a
      group is in flight, later messages of that group wait; other groups continue. Use many groups to work in parallel:
      all messages without a <Code>group_id</Code> are one group, so one receive after the other gets them. A receive
      can return several messages of a group, in order; work on them one by one.
    </p>
    <p>
      A message that returns, because it was not acknowledged in time or was returned, comes before newer messages of
      its group.
    </p>
  </DocsSection>
);

const Leases = () => (
  <DocsSection id="visibility" title="Visibility timeout and receipts">
    <p>
      Each receive of a message has its own <Code>receipt</Code> and starts the visibility timeout: that of the queue,
      or the <Code>visibility_timeout_s</Code> of the call. With the receipt a consumer does one of three things before
      the timeout ends:
    </p>
    <Definitions
      label="What a consumer does with a receipt"
      rows={[
        ["POST …/acknowledge", "The work is done: deletes the message."],
        ["POST …/extend", "The work takes longer: the timeout now ends visibility_timeout_s seconds after this call."],
        [
          "POST …/return",
          "The work failed: the message can be received again, at once or after delay_seconds (0 to 900). Later messages of its group wait for it.",
        ],
      ]}
    />
    <p>
      Afterwards the receipt is worthless. Any of the three calls then fails with 409 <Code>conflict</Code> and the
      reason <Code>lease_expired</Code>, and changes nothing:
    </p>
    <DocsCode label="409" code={LEASE_EXPIRED} language="json" />
    <p>
      Send up to 100 receipts as <Code>receipts</Code> instead of <Code>receipt</Code>. The response is then 200 with an
      outcome for each: <Code>ok</Code>, <Code>lease_expired</Code>, or <Code>unknown</Code> for what is no receipt of
      the queue.
    </p>
  </DocsSection>
);

const Sending = () => (
  <DocsSection id="sending" title="Batches, deduplication and delays">
    <p>
      A body is a JSON object or a string, at most 256 KiB in UTF-8. Send up to 100 messages in one call as{" "}
      <Code>messages</Code>, each with the fields of a single one. Numbers keep all their digits, also integers beyond 2
      <sup>53</sup>: they are received as they were sent.
    </p>
    <p>
      A message with a <Code>deduplication_id</Code> is stored once: another one with the same ID within 5 minutes is
      accepted, not stored, and answered with the ID of the first one and <Code>is_duplicate: true</Code>. So a send
      whose response was lost can be repeated. An <Code>Idempotency-Key</Code> does the same for a whole call, and
      returns the first response for 24 hours.
    </p>
    <p>
      <Code>delay_seconds</Code> hides a message for up to 900 seconds. Later messages of its group wait for it, because
      they must not overtake it; messages that were sent before it do not.
    </p>
  </DocsSection>
);

const DeadLetters = () => (
  <DocsSection id="dlq" title="Dead-letter queues">
    <p>
      A message that fails again and again would block its group. Give the queue a dead-letter queue, which is any other
      queue of the same project and mode: a message that was received <Code>max_receives</Code> times and comes up for
      another receive moves there instead. The move keeps the order and is one transaction, so no message is lost or
      doubled by it. Its receive count and retention begin again. Without a dead-letter queue a message is delivered
      until its retention ends.
    </p>
    <p>
      When the cause is repaired, <Code>POST …/redrive</Code> on the dead-letter queue moves messages back to the queue
      that they came from, oldest first, at most 1,000 per call. Repeat it until <Code>moved</Code> is 0. Messages of
      groups that have one in flight stay. If several queues share the dead-letter queue, name the <Code>target</Code>.
      The dashboard does this with one button.
    </p>
  </DocsSection>
);

const Receiving = () => (
  <DocsSection id="receiving" title="Long polling">
    <p>
      With <Code>wait_seconds</Code>, up to 20, a receive without a message waits for one and returns as soon as there
      is one. Use it instead of polling. When the client disconnects before it has the response, its messages can be
      received again at once. A receive returns at most about 4 MiB of bodies, so it can have fewer than{" "}
      <Code>max_messages</Code> messages.
    </p>
    <p>
      Receive is a GET, but it changes the queue: it takes messages. The response is never cached (
      <Code>Cache-Control: no-store</Code>). Do not let a proxy or an HTTP library repeat it: what a lost response
      contained is invisible until its visibility timeout ends. The SDK therefore does not retry a receive after a
      time-out, a lost connection or a 5xx; it does after 429 and when the request was not sent.
    </p>
  </DocsSection>
);

const Workers = () => (
  <DocsSection id="workers" title="Workers">
    <p>
      A worker receives, works and acknowledges. The work on a whole batch has to fit into the visibility timeout;
      otherwise receive fewer messages, or extend. Run as many workers as you like:
    </p>
    <DocsCode label="worker.js" code={WORKER} language="javascript" />
    <p>
      The command line runs a program per message, without a worker of your own. It starts the program with the body on
      standard input, extends the visibility timeout while it runs, acknowledges on exit status 0, and returns the
      message otherwise. Messages of one group run one at a time:
    </p>
    <DocsCode label="Shell" code={CONSUME} language="bash" />
    <DocsCode label="work.sh" code={WORK} language="bash" />
  </DocsSection>
);

const Looking = () => (
  <DocsSection id="watching" title="Watching a queue">
    <p>
      <DocsLink href="/cloud/queues">The dashboard</DocsLink> shows for each queue how many messages wait, are in flight
      or delayed, the age of the oldest one, and how depth and rates changed. <Code>GET /v1/queues/&#123;q&#125;</Code>{" "}
      has the same figures, <Code>…/history</Code> those of the last 14 days, measured once a minute, and{" "}
      <Code>…/messages</Code> the oldest messages without receiving them. A growing age of the oldest message is the
      best alarm: consumers do not keep up, or one message blocks its group.
    </p>
    <p>
      <Code>POST …/purge</Code> deletes all messages, also those in flight. <Code>DELETE</Code> deletes the queue with
      them; a queue that is the dead-letter queue of another one cannot be deleted.
    </p>
  </DocsSection>
);
