import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsSection } from "../docs-text";
import { JOIN } from "./examples";

/** How another machine becomes a node that runs pods. */
export const Nodes = () => (
  <DocsSection id="nodes" title="Pods on several nodes">
    <p>
      A node is a machine that runs pods. To add one, run two commands: where svc is installed, one that prints a token,
      valid for an hour, together with the second command; and that one on the new machine, with the same version of svc
      installed.
    </p>
    <DocsCode label="Shell" code={JOIN} language="bash" />
    <p>
      From then on svc also places pods there: those without a GPU model and those with simulated GPUs by free memory,
      and those of live keys on its GPUs, if <Code>nvidia-smi</Code> reports a known model without an error (see{" "}
      <DocsLink href="/docs/pods#gpu-nodes">real GPUs</DocsLink>; tested with doubles of the driver, not yet with a
      GPU). <Code>--region</Code> says where these are, by default <Code>use</Code>.
    </p>
    <p>
      Workers connect to the address of the node, so it must be reachable from all processes of svc, and from no other
      machine. The connection is encrypted, and both ends prove that they have a key that the join made.{" "}
      <Code>admin nodes</Code> lists the nodes with their versions, and <Code>admin remove-node</Code> ends the keys of
      one.
    </p>
    <p>
      Pods keep running while the agent on their node or svc restarts, and <Code>node join</Code> starts an agent again
      that has exited. A node that no worker reaches for 9 minutes ends its pods, and svc counts them as failed after 10
      minutes (<Code>node_lost</Code>), so that none runs twice.
    </p>
  </DocsSection>
);
