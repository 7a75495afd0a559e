import { Call } from "../call";
import { Code } from "../docs-text";

const SANDBOX = "/v1/sandboxes/<sandbox>";

/** A command in one call, and a sandbox for several. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Run a command</h3>
    <Call
      title="Run a command in a sandbox"
      call="POST /v1/sandboxes"
      isIdempotent
      body={{ image: "alpine:3", command: ["/bin/sh", "-c", "echo $((6 * 7))"], timeout_seconds: 60 }}
    />
    <p>
      The response has <Code>stdout</Code>, <Code>stderr</Code> and <Code>exit_code</Code>, and the sandbox has ended.
      Without internet, name an image of a registry that svc can reach. The response is 503 with the reason{" "}
      <Code>no_runtime</Code> where the machine of svc cannot run sandboxes; the message says why.
    </p>
    <h3 className="pt-2 font-semibold">2. Keep one for several commands</h3>
    <Call
      title="Create a sandbox"
      call="POST /v1/sandboxes"
      isIdempotent
      body={{ image: "alpine:3", timeout_seconds: 600 }}
      saveAs={["id", "sandbox"]}
    />
    <Call
      title="Write a file"
      call={`PUT ${SANDBOX}/files`}
      body={{ path: "/work/names.txt", content: "Ada\nGrace\n" }}
    />
    <Call
      title="Run a program"
      call={`POST ${SANDBOX}/exec`}
      body={{ command: ["/bin/sh", "-c", "sort -r /work/names.txt > /work/sorted.txt; wc -l /work/sorted.txt"] }}
    />
    <Call title="Read a file" call={`GET ${SANDBOX}/files?path=/work/sorted.txt`} />
    <h3 className="pt-2 font-semibold">3. End it</h3>
    <Call title="Delete the sandbox" call={`DELETE ${SANDBOX}`} />
  </>
);
