import { Code } from "../docs-text";
import { Snippet } from "../snippet";

const FUNCTION = "/v1/functions/quick-start";
const CREATED = "export default (payload) => ({ total: payload.prices.reduce((a, b) => a + b, 0) });";

/** A function in three calls. */
export const QuickStart = ({ newId }: { newId: () => string }) => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a function</h3>
    <Snippet
      title="Create a function"
      request={{
        method: "POST",
        path: "/v1/functions",
        key: "platform",
        idempotencyKey: newId(),
        body: { name: "quick-start", code: CREATED },
      }}
    />
    <p>
      If the function exists already, the response is 409 with the reason <Code>name_taken</Code>; continue with it.
      Every path takes the ID of a function, or its name in the project and mode of the key.
    </p>
    <h3 className="pt-2 font-semibold">2. Call it</h3>
    <Snippet
      title="Call the function"
      request={{ method: "POST", path: `${FUNCTION}/invoke`, key: "platform", body: { payload: { prices: [40, 2] } } }}
    />
    <h3 className="pt-2 font-semibold">3. Look at its invocations</h3>
    <Snippet title="List invocations" request={{ method: "GET", path: `${FUNCTION}/invocations`, key: "platform" }} />
  </>
);
