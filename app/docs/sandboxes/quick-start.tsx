import { Code } from "../docs-text";
import { Snippet } from "../snippet";

const SANDBOX = "/v1/sandboxes/<sandbox>";

/** A command in one call, and a sandbox for several. */
export const QuickStart = ({ newId }: { newId: () => string }) => (
  <>
    <h3 className="pt-2 font-semibold">1. Run a command</h3>
    <Snippet
      title="Run a command in a sandbox"
      request={{
        method: "POST",
        path: "/v1/sandboxes",
        key: "platform",
        idempotencyKey: newId(),
        body: { image: "alpine:3", command: ["/bin/sh", "-c", "echo $((6 * 7))"], timeout_seconds: 60 },
      }}
    />
    <p>
      The response has <Code>stdout</Code>, <Code>stderr</Code> and <Code>exit_code</Code>, and the sandbox has ended.
      Without internet, name an image of a registry that svc can reach. The response is 503 with the reason{" "}
      <Code>no_runtime</Code> where the machine of svc cannot run sandboxes; the message says why.
    </p>
    <h3 className="pt-2 font-semibold">2. Keep one for several commands</h3>
    <Snippet
      title="Create a sandbox"
      request={{
        method: "POST",
        path: "/v1/sandboxes",
        key: "platform",
        idempotencyKey: newId(),
        body: { image: "alpine:3", timeout_seconds: 600 },
      }}
      saveAs={["id", "sandbox"]}
    />
    <Snippet
      title="Write a file"
      request={{
        method: "PUT",
        path: `${SANDBOX}/files`,
        key: "platform",
        body: { path: "/work/names.txt", content: "Ada\nGrace\n" },
      }}
    />
    <Snippet
      title="Run a program"
      request={{
        method: "POST",
        path: `${SANDBOX}/exec`,
        key: "platform",
        body: { command: ["/bin/sh", "-c", "sort -r /work/names.txt > /work/sorted.txt; wc -l /work/sorted.txt"] },
      }}
    />
    <Snippet
      title="Read a file"
      request={{ method: "GET", path: `${SANDBOX}/files?path=/work/sorted.txt`, key: "platform" }}
    />
    <h3 className="pt-2 font-semibold">3. End it</h3>
    <Snippet title="Delete the sandbox" request={{ method: "DELETE", path: SANDBOX, key: "platform" }} />
  </>
);
