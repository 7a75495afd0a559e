import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";
import { OWN_UPSTREAM, UPSTREAMS_FILE, UPSTREAMS_START } from "./examples";
import { FILE_FIELDS } from "./tables";

export const OwnUpstreams = () => (
  <DocsSection id="upstreams" title="Your own upstreams">
    <p>
      An upstream is a server with OpenAI&apos;s API: OpenAI itself, another provider, or your own vLLM or Ollama. It
      belongs to a project and a mode. Its key is a <DocsLink href="/docs/secrets">secret</DocsLink> that you name:
    </p>
    <DocsCode label="Shell" code={OWN_UPSTREAM} language="bash" />
    <p>
      Prices are for a million tokens, in the currency of the installation, and 0 unless you state them; they decide
      what budgets and usage count. The key is read at each request, so a new version of the secret applies at once.
      Because its value goes to an address of your choice, naming a secret requires the scope{" "}
      <Code>secrets:reveal</Code>, which owners and admins have. The address must be https on a public host; on an
      installation whose <Code>PUBLIC_URL</Code> is a loopback address, http on loopback works too. Redirects are not
      followed.
    </p>
    <p>
      Changes apply from the next request on. Answers must begin within 5 minutes and may pause for up to 60 seconds.
      Events: <Code>chat_upstream.created</Code>, <Code>chat_upstream.updated</Code>, <Code>chat_upstream.deleted</Code>
      .
    </p>
  </DocsSection>
);

export const Operators = () => (
  <DocsSection id="operators" title="Upstreams of the installation">
    <p>
      Operators give all tenants models with a JSON file. svc reads it at its start, and does not start with a mistake
      in it: the message names the field. Keys are in the environment, never in the file.
    </p>
    <DocsCode label="/etc/svc/upstreams.json" code={UPSTREAMS_FILE} language="json" />
    <DocsCode label="Shell" code={UPSTREAMS_START} language="bash" />
    <Definitions label="Fields of an upstream" rows={FILE_FIELDS} />
    <p>
      At most 100 upstreams with 1,000 models each; other fields are errors. Here both upstreams serve{" "}
      <Code>small</Code>: the second one is called when the first one fails. svc counts and limits what tenants use, but
      charges no balance for it.
    </p>
  </DocsSection>
);

export const Routing = () => (
  <DocsSection id="routing" title="Routing, fallback and retries">
    <p>
      A request goes to an upstream that has the model: the project&apos;s own upstreams before those of the operator,
      then lower <Code>priority</Code> first, then at random in proportion to <Code>weight</Code>.
    </p>
    <Definitions
      label="When an upstream fails"
      rows={[
        ["Fallback", "The next upstream of the model is called at once, as long as no byte of an answer has arrived."],
        [
          "Retries",
          "After 408, 425, 429, 5xx and lost connections all of them are called again, up to 3 rounds and 6 tries in all, after 0.2 to 2 s or the Retry-After of up to 5 s. Not again after 401, 403, 404 and time-outs.",
        ],
        [
          "Fields of svc",
          "An upstream that refuses stream_options (400 or 422) is called once more without them, and for a day from then on; the tokens of its streams are counted. The same goes for encoding_format of embeddings.",
        ],
        ["Refusals", "400, 409, 413, 415 and 422 are returned at once: another upstream would refuse the request too."],
        [
          "Circuit breaker",
          "After three failures in a row, requests pause for a second, then one request tries it. Each further failure doubles the pause, up to a minute. An upstream that cannot be connected to is paused with all its models. After 5xx, a lost connection or a time-out, one model of it is paused; after an answer in a wrong form, such as no stream where one was asked for, the model for requests of this form. 4xx do not count. Each process has its own.",
        ],
      ]}
    />
    <p>
      <Code>tries</Code> in the log is how often upstreams were called for a request, and <Code>upstream</Code> the last
      one.
    </p>
  </DocsSection>
);
