import { Call } from "../call";
import { Code } from "../docs-text";

const QUEUE = "/v1/queues/quick-start";

/** The life of a message in four calls. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a queue</h3>
    <Call
      title="Create a queue"
      call="POST /v1/queues"
      isIdempotent
      body={{ name: "quick-start", visibility_timeout: "30s" }}
    />
    <p>
      If the queue exists already, the response is 409 with the reason <Code>name_taken</Code>; continue with it. Every
      path takes the name or the ID of a queue.
    </p>
    <h3 className="pt-2 font-semibold">2. Send a message</h3>
    <Call
      title="Send a message"
      call={`POST ${QUEUE}/send`}
      body={{ body: { to: "ada@example.com", template: "welcome" }, group_id: "user-42" }}
    />
    <h3 className="pt-2 font-semibold">3. Receive it</h3>
    <Call
      title="Receive messages"
      call={`GET ${QUEUE}/receive?max_messages=1&wait_seconds=5`}
      saveAs={["data.0.receipt", "receipt"]}
    />
    <p>
      The message is invisible now. Run this again: as long as the message is in flight, there is none, and after 30
      seconds it comes back with a new receipt and a <Code>receive_count</Code> of 2.
    </p>
    <h3 className="pt-2 font-semibold">4. Acknowledge it</h3>
    <Call title="Acknowledge the message" call={`POST ${QUEUE}/acknowledge`} body={{ receipt: "<receipt>" }} />
    <p>The message is deleted. A second acknowledgement with the same receipt is 409.</p>
    <h3 className="pt-2 font-semibold">5. Look at the queue</h3>
    <Call title="Get the queue" call={`GET ${QUEUE}`} />
  </>
);
