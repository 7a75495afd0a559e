import { Call } from "../call";
import { Code } from "../docs-text";

const WORKSPACE = "/v1/workspaces/<workspace>";

/** A workspace whose file is still there after a stop. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a workspace</h3>
    <Call
      title="Create a workspace"
      call="POST /v1/workspaces"
      isIdempotent
      body={{ name: "api", image: "alpine:3", memory_mb: 256, disk_gb: 1 }}
      saveAs={["id", "workspace"]}
    />
    <p>
      <Code>url</Code> of the response opens it in the browser. Without internet, name an image of a registry that svc
      can reach. The response is 503 with the reason <Code>no_runtime</Code> or <Code>volume_unsupported</Code> where
      the machines of svc cannot run workspaces or keep their disks.
    </p>
    <h3 className="pt-2 font-semibold">2. Write a file, and run a program</h3>
    <Call
      title="Write a file"
      call={`PUT ${WORKSPACE}/files`}
      body={{ path: "/workspace/hello.sh", content: "echo Hello\n" }}
    />
    <Call title="Run a program" call={`POST ${WORKSPACE}/exec`} body={{ command: ["/bin/sh", "hello.sh"] }} />
    <h3 className="pt-2 font-semibold">3. Stop it, and delete it</h3>
    <Call title="Stop the workspace; its files stay" call={`POST ${WORKSPACE}/stop`} />
    <Call title="Delete the workspace" call={`DELETE ${WORKSPACE}`} />
  </>
);
