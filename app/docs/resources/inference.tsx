import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

/** Endpoints that serve a model. */
export const Inference = () => (
  <DocsSection id="inference" title="Inference endpoints">
    <p>
      A resource of <Code>inference</Code> serves a model with OpenAI&apos;s API. Its replicas are{" "}
      <DocsLink href="/docs/pods">pods</DocsLink> with GPUs, which are metered by the second; requests are logged as
      those of the <DocsLink href="/docs/chat">chat gateway</DocsLink>, at no price of their own.{" "}
      <Code>observed.url</Code> is the base URL for OpenAI&apos;s clients, with a key that has the scope{" "}
      <Code>gateway:write</Code>: <Code>POST …/chat/completions</Code>, also with <Code>stream</Code>, and{" "}
      <Code>GET …/models</Code>. The chat gateway has the model as <Code>inference/&lt;name&gt;</Code>.
    </p>
    <Definitions label="Fields of an endpoint" rows={FIELDS} />
    <p>
      Each request goes to the ready replica that has the fewest; one that cannot be reached receives no more until it
      responds to its health check, and the request goes to another one. Replicas are added at once when there are more
      than <Code>target_concurrency</Code> requests for each, and end when fewer were enough for{" "}
      <Code>scale_down_seconds</Code>. While no replica is ready, up to 100 requests in each process of svc wait up to 4
      minutes; more are 429 with the reason <Code>endpoint_queue_full</Code>. Ready replicas are checked every 10
      seconds whether they still are. A replica that fails is replaced, after pauses that grow to 5 minutes.
    </p>
    <p>
      When <Code>model</Code>, <Code>engine</Code>, <Code>image</Code> or the size changes, new replicas start first.
      Old ones receive no new requests when as many new ones are ready, and end when their requests are answered, or
      after 10 minutes.
    </p>
    <p>
      Requests, waiting ones and replicas are counted in <Code>observed</Code>. Everything else that an engine serves,
      such as <Code>/metrics</Code> and <Code>/v1/completions</Code>, is reached at each replica:{" "}
      <Code>/v1/pods/&lt;pod&gt;/ports/8000/…</Code> with a pod of <Code>observed.pod_ids</Code>. The usage of an
      endpoint is that of its replicas.
    </p>
    <p>
      The engine <Code>test</Code> is no model: it is a small server that repeats the last message, and its answers have{" "}
      <Code>system_fingerprint: &quot;svc-test-engine&quot;</Code> and <Code>simulated: true</Code>. The field{" "}
      <Code>delay_ms</Code> makes it wait. The other engines need real GPUs. Their command lines follow the manuals of
      their makers; they have not been run on GPUs with svc yet.
    </p>
  </DocsSection>
);

const FIELDS = [
  ["model", "The name of the model in its engine; for triton, the path of a model repository"],
  ["engine", "vllm, tgi, trt_llm, triton or test. Default: vllm in live mode, test with a test key"],
  ["gpu_sku, gpu_count", "The GPUs of each replica: H100, H200, B200, B300, A100 or L40S, and how many, default 1"],
  ["min_replicas", "Default 1. With 0 no replica runs without requests, and the next request waits for one"],
  ["max_replicas", "1 to 8, default 1"],
  ["target_concurrency", "Requests of one replica at a time, default 8"],
  ["scale_down_seconds", "How long fewer replicas must be enough before some end, default 300"],
  ["tensorizer_uri", "Of vllm: tensors that are loaded in place of the weights of the model"],
  ["hf_token", 'The token for gated models of Hugging Face, as { "secret": "name" }: the key needs secrets:reveal'],
  ["registry_credentials", "Of a private image, as those of a pod: the key needs secrets:reveal"],
  ["image, cpu, memory_mb", "Default: those of the engine"],
  ["region, purchase_option", "As those of an instance: default use and on_demand"],
] as const;
