import { Call } from "../call";
import { Code } from "../docs-text";

const FUNCTION = "/v1/functions/quick-start";
const CREATED = "export default (payload) => ({ total: payload.prices.reduce((a, b) => a + b, 0) });";

/** A function in three calls. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a function</h3>
    <Call
      title="Create a function"
      call="POST /v1/functions"
      isIdempotent
      body={{ name: "quick-start", code: CREATED }}
    />
    <p>
      If the function exists already, the response is 409 with the reason <Code>name_taken</Code>; continue with it.
      Every path takes the ID of a function, or its name in the project and mode of the key.
    </p>
    <h3 className="pt-2 font-semibold">2. Call it</h3>
    <Call title="Call the function" call={`POST ${FUNCTION}/invoke`} body={{ payload: { prices: [40, 2] } }} />
    <h3 className="pt-2 font-semibold">3. Look at its invocations</h3>
    <Call title="List invocations" call={`GET ${FUNCTION}/invocations`} />
  </>
);
