import { Code } from "../docs-text";
import { Snippet } from "../snippet";

const WORKSPACE = "/v1/workspaces/<workspace>";

/** A workspace whose file is still there after a stop. */
export const QuickStart = ({ newId }: { newId: () => string }) => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a workspace</h3>
    <Snippet
      title="Create a workspace"
      request={{
        method: "POST",
        path: "/v1/workspaces",
        key: "platform",
        idempotencyKey: newId(),
        body: { name: "api", image: "alpine:3", memory_mb: 256, disk_gb: 1 },
      }}
      saveAs={["id", "workspace"]}
    />
    <p>
      <Code>url</Code> of the response opens it in the browser. Without internet, name an image of a registry that svc
      can reach. The response is 503 with the reason <Code>no_runtime</Code> or <Code>volume_unsupported</Code> where
      the machines of svc cannot run workspaces or keep their disks.
    </p>
    <h3 className="pt-2 font-semibold">2. Write a file, and run a program</h3>
    <Snippet
      title="Write a file"
      request={{
        method: "PUT",
        path: `${WORKSPACE}/files`,
        key: "platform",
        body: { path: "/workspace/hello.sh", content: "echo Hello\n" },
      }}
    />
    <Snippet
      title="Run a program"
      request={{
        method: "POST",
        path: `${WORKSPACE}/exec`,
        key: "platform",
        body: { command: ["/bin/sh", "hello.sh"] },
      }}
    />
    <h3 className="pt-2 font-semibold">3. Stop it, and delete it</h3>
    <Snippet
      title="Stop the workspace; its files stay"
      request={{ method: "POST", path: `${WORKSPACE}/stop`, key: "platform" }}
    />
    <Snippet title="Delete the workspace" request={{ method: "DELETE", path: WORKSPACE, key: "platform" }} />
  </>
);
