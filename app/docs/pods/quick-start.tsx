import { Call } from "../call";
import { Code } from "../docs-text";

const POD = "/v1/pods/<pod>";

/** The life of a pod in four calls. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a pod</h3>
    <Call
      title="Create a pod"
      call="POST /v1/pods"
      isIdempotent
      body={{ image: "alpine:3", name: "quick-start", command: ["/bin/sh", "-c", "echo Hello; sleep 60"] }}
      saveAs={["id", "pod"]}
    />
    <p>
      The pod is <Code>pending</Code> while the image is pulled, and <Code>ready</Code> when its process runs. Without
      internet, name an image of a registry that svc can reach. The response is 503 with the reason{" "}
      <Code>no_runtime</Code> where the machine of svc cannot run pods; the message says why.
    </p>
    <h3 className="pt-2 font-semibold">2. Look at it</h3>
    <Call title="Get the pod" call={`GET ${POD}`} />
    <h3 className="pt-2 font-semibold">3. Read its output</h3>
    <Call title="Get the output" call={`GET ${POD}/logs`} />
    <h3 className="pt-2 font-semibold">4. Stop it</h3>
    <Call title="Stop the pod" call={`POST ${POD}/stop`} />
    <p>
      It is <Code>stopped</Code> when all its processes have ended, after 30 seconds at the latest.{" "}
      <Code>POST …/start</Code> starts it again, <Code>DELETE</Code> removes it.
    </p>
  </>
);
