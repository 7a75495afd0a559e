import { Code, DocsSection } from "../docs-text";

/** Which images are on the nodes before a pod needs them, and what is reported about it. */
export const WarmImages = () => (
  <DocsSection id="warm-images" title="How fast a pod starts">
    <p>
      <Code>boot.seconds</Code> is the time from the assignment of capacity until the process ran, the pull of the image
      included. <Code>boot.warm</Code> is true if all layers of the image were on the node and nothing was pulled; the
      timeline says how much was. It is null where that is unknown: on Kubernetes, whose nodes pull images themselves,
      and for a start that svc found already made after it was restarted.
    </p>
    <p>
      With the runtime <Code>namespaces</Code>, each node keeps images ready. It chooses those with the most starts per
      byte, counted over the pods of all tenants and all GPU models. The weight of a start halves each day, and ends
      after a week. If a node has lost such an image, or never had it, it pulls it in the background within minutes,
      while at most two pods start there. All of them together take at most half of the node's cache of layers, each at
      most a quarter. Images with <Code>registry_credentials</Code> are not kept ready, and their pods do not use what
      is. The registry is contacted at each start in any case, so a tag that has moved starts its new image.
    </p>
    <p>
      <Code>GET /v1/gpu-pools/nodes</Code> has <Code>warm</Code>: how many starts of the last seven days pulled nothing,
      the median and the 99th percentile of their times, how many images of the pool are ready, and which of your own
      are. Operators see all with <Code>npm run svc -- admin warm-images</Code>.
    </p>
  </DocsSection>
);
