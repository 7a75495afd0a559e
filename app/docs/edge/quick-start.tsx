import { Call } from "../call";
import { Code } from "../docs-text";

const EDGE = "/v1/edge/functions/quick-start";
const CODE = `export default {
  fetch(request) {
    console.log("asked for", request.url);
    return new Response("Hello from the edge");
  },
};`;

/** An edge function in three calls. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a draft</h3>
    <Call
      title="Create an edge function"
      call="POST /v1/edge/functions"
      isIdempotent
      body={{ name: "quick-start", code: CODE }}
    />
    <p>
      If it exists already, the response is 409 with the reason <Code>name_taken</Code>; continue with it. Every path
      takes the ID of an edge function, or its name in the project and mode of the key.
    </p>
    <h3 className="pt-2 font-semibold">2. Publish it</h3>
    <Call title="Publish the draft" call={`POST ${EDGE}/publish`} body={{}} />
    <p>
      Open <Code>url</Code> of the response in a browser, or request it with <Code>curl</Code>: every method and path of
      that host belongs to your code.
    </p>
    <h3 className="pt-2 font-semibold">3. Look at its logs</h3>
    <Call title="Get the logs" call={`GET ${EDGE}/logs`} />
  </>
);
