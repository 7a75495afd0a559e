import { Call } from "../call";
import { Code } from "../docs-text";

const INSTANCE = "/v1/resources/<instance>";

/** From a plan to an instance that runs, and back to nothing. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Activate a service</h3>
    <Call title="Activate CPU instances" call="POST /v1/activations" body={{ service: "cpu", plan_tier: "starter" }} />
    <h3 className="pt-2 font-semibold">2. Create a resource</h3>
    <Call
      title="Create an instance"
      call="POST /v1/resources"
      isIdempotent
      body={{ service: "cpu", name: "quick-start", spec: { sku: "Genoa", image_id: "alpine-3" } }}
      saveAs={["rid", "instance"]}
    />
    <p>
      The response is sent when it runs, or after 5 seconds with the state <Code>provisioning</Code> while its image is
      pulled. Without internet, name an image of a registry that svc can reach. If the machine of svc cannot run
      instances, the response is a placeholder whose <Code>reason</Code> says why.
    </p>
    <Call title="Get the resource" call={`GET ${INSTANCE}`} />
    <h3 className="pt-2 font-semibold">3. Stop and delete it</h3>
    <Call title="Stop the instance" call="POST /v1/instances/<instance>/stop" />
    <Call title="Delete the resource" call={`DELETE ${INSTANCE}`} />
  </>
);
