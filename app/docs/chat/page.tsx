import type { Metadata } from "next";
import { Call } from "../call";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { Budgets, Cache, Log, Offers, Usage } from "./accounting";
import { BUDGET_EXCEEDED, COMMAND_LINE, STREAM } from "./examples";
import { QuickStart } from "./quick-start";
import { ERRORS, LIMITS } from "./tables";
import { Operators, OwnUpstreams, Routing } from "./upstreams";

export const metadata: Metadata = { title: "Chat gateway" };

export default function ChatPage() {
  return (
    <DocsPage
      title="Chat gateway"
      lead="Language models of several providers behind OpenAI's API, with budgets and a log of every request."
    >
      <QuickStartSection scopes="gateway" note=". The second one calls models.">
        <QuickStart />
      </QuickStartSection>
      <Streaming />
      <Models />
      <Embeddings />
      <Fields />
      <Errors />
      <OwnUpstreams />
      <Operators />
      <Routing />
      <Budgets />
      <Usage />
      <Log />
      <Cache />
      <Offers />
      <Tools />
      <LimitsSection of="the chat gateway" rows={LIMITS} />
    </DocsPage>
  );
}

const Streaming = () => (
  <DocsSection id="streaming" title="Streaming">
    <p>
      With <Code>&quot;stream&quot;: true</Code> the answer comes as server-sent events while it is written, each with a{" "}
      <Code>chat.completion.chunk</Code>, and the last one is <Code>[DONE]</Code>. Events are passed on as the upstream
      sent them; the whole answer of a model that does not stream comes as one event. Bytes that are not UTF-8 are
      passed on as they came too, also in whole answers; error messages and the log have U+FFFD in their place.
    </p>
    <DocsCode label="Shell" code={STREAM} language="bash" />
    <p>
      <Code>stream_options.include_usage</Code> adds an event with the tokens before <Code>[DONE]</Code>, with{" "}
      <Code>estimated: true</Code> where svc has counted them because the upstream reports none. When the upstream fails
      in the middle of an answer, the last event has <Code>error</Code> and there is no <Code>[DONE]</Code>:
      OpenAI&apos;s clients raise it as an error.
    </p>
  </DocsSection>
);

const Models = () => (
  <DocsSection id="models" title="Models, test and live keys">
    <p>
      <Code>GET /v1/models</Code> lists what a key can use. <Code>owned_by</Code> says whose upstream serves a model:{" "}
      <Code>tenant</Code>, <Code>operator</Code>, or <Code>svc</Code> for simulations; <Code>kind</Code> says for which
      call it is.
    </p>
    <Definitions
      label="Keys and models"
      rows={[
        [
          "Test key",
          "svc-echo, svc-echo-embedding and the models of your operator are simulated, free of charge: no upstream is called. The header x-svc-simulated and the field simulated say so. Upstreams that you added in test mode yourself are called, and your provider bills you.",
        ],
        [
          "Live key",
          "Your own upstreams of the project, then those of the operator. Where there is neither, the response is 503 no_upstream.",
        ],
      ]}
    />
    <p>
      <Code>svc-echo</Code> repeats the last message of the user, with real events and token counts, and has the same
      answer for the same request. It calls the tool that <Code>tool_choice</Code> forces, with an example of its
      arguments, and returns an example of the schema of <Code>response_format</Code>. It respects{" "}
      <Code>max_completion_tokens</Code>, <Code>stop</Code> and <Code>n</Code>.
    </p>
  </DocsSection>
);

const Embeddings = () => (
  <DocsSection id="embeddings" title="Embeddings">
    <Call
      title="Embed a text"
      call="POST /v1/embeddings"
      body={{ model: "svc-echo-embedding", input: ["Hello"], dimensions: 4 }}
    />
    <p>
      Vectors of <Code>svc-echo-embedding</Code> depend only on the text and mean nothing: similar texts do not have
      similar vectors. It has 1,536 dimensions unless you send <Code>dimensions</Code>.
    </p>
    <p>
      Vectors come in the <Code>encoding_format</Code> that you ask for, whichever the upstream knows; OpenAI&apos;s
      clients ask for <Code>base64</Code> unless you name another. Vectors of another length than{" "}
      <Code>dimensions</Code> are 503 <Code>upstream_dimensions</Code>.
    </p>
  </DocsSection>
);

const Fields = () => (
  <DocsSection id="fields" title="What is passed on">
    <p>
      Every field that svc does not know goes to an upstream of your own as it is, numbers with the digits that you
      wrote. One of the installation gets the fields of OpenAI that shape the answer, such as <Code>tools</Code>,{" "}
      <Code>response_format</Code>, <Code>logprobs</Code> and <Code>seed</Code>; fields that cost more or keep something
      there, such as <Code>service_tier</Code>, <Code>web_search_options</Code> and <Code>store</Code>, are left out.
      Its images and files are in the request itself: an address of one is 400, and so is a tool that is no function. Of
      its usage you see the tokens, but not which of them it had cached. It gets a keyed hash instead of{" "}
      <Code>user</Code>, which differs from tenant to tenant. <Code>model</Code> becomes its <Code>upstream_name</Code>.
      Every stream is asked for its usage. svc&apos;s own fields <Code>mode</Code>, <Code>project</Code>,{" "}
      <Code>svc_cache</Code> and <Code>svc_offers</Code> are not sent. The header <Code>x-svc-upstream</Code> names the
      upstream that answered.
    </p>
  </DocsSection>
);

const Errors = () => (
  <DocsSection id="errors" title="Errors">
    <p>
      <Code>/v1/chat</Code>, <Code>/v1/embeddings</Code> and <Code>/v1/models</Code> have errors in OpenAI&apos;s
      format, so that its clients raise the classes that you know. <Code>/v1/gateway</Code> has{" "}
      <DocsLink href="/docs/errors">svc&apos;s own</DocsLink>.
    </p>
    <DocsCode label="429" code={BUDGET_EXCEEDED} language="json" />
    <Definitions label="Errors of the chat gateway" rows={ERRORS} />
    <p>
      What an upstream refuses with 400, 409, 413, 415 or 422 is returned with its message. Keys and what looks like one
      are removed from messages. OpenAI&apos;s clients repeat 408, 409, 429 and 5xx twice on their own; a repetition of{" "}
      <Code>budget_exceeded</Code> costs nothing.
    </p>
  </DocsSection>
);

const Tools = () => (
  <DocsSection id="tools" title="Command line and dashboard">
    <p>
      <Code>svc chat</Code> prints an answer as it arrives; without a prompt, on a terminal, it holds a conversation.
      Without <Code>--model</Code> and <Code>SVC_CHAT_MODEL</Code> it uses the only model that there is.
    </p>
    <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
    <p>
      <DocsLink href="/cloud/chat">The dashboard</DocsLink> has a playground with up to three models side by side, the
      log of requests, plots of requests, tokens, spend and latency, budgets, and the settings and upstreams of each
      project. Requests of the playground are billed like others, with no key.
    </p>
  </DocsSection>
);
