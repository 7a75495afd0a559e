import { Code } from "../docs-text";
import { Snippet } from "../snippet";

const INSTANCE = "/v1/resources/<instance>";

/** From a plan to an instance that runs, and back to nothing. */
export const QuickStart = ({ newId }: { newId: () => string }) => (
  <>
    <h3 className="pt-2 font-semibold">1. Activate a service</h3>
    <Snippet
      title="Activate CPU instances"
      request={{
        method: "POST",
        path: "/v1/activations",
        key: "platform",
        body: { service: "cpu", plan_tier: "starter" },
      }}
    />
    <h3 className="pt-2 font-semibold">2. Create a resource</h3>
    <Snippet
      title="Create an instance"
      request={{
        method: "POST",
        path: "/v1/resources",
        key: "platform",
        idempotencyKey: newId(),
        body: { service: "cpu", name: "quick-start", spec: { sku: "Genoa", image_id: "alpine-3" } },
      }}
      saveAs={["rid", "instance"]}
    />
    <p>
      The response is sent when it runs, or after 5 seconds with the state <Code>provisioning</Code> while its image is
      pulled. Without internet, name an image of a registry that svc can reach. If the machine of svc cannot run
      instances, the response is a placeholder whose <Code>reason</Code> says why.
    </p>
    <Snippet title="Get the resource" request={{ method: "GET", path: INSTANCE, key: "platform" }} />
    <h3 className="pt-2 font-semibold">3. Stop and delete it</h3>
    <Snippet
      title="Stop the instance"
      request={{ method: "POST", path: "/v1/instances/<instance>/stop", key: "platform" }}
    />
    <Snippet title="Delete the resource" request={{ method: "DELETE", path: INSTANCE, key: "platform" }} />
  </>
);
