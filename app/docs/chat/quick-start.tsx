import { Call } from "../call";
import { Code } from "../docs-text";
import { ClientExamples } from "./client-examples";

/** The first answer, with HTTP and with OpenAI's clients. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Call a model</h3>
    <Call
      title="Call a model"
      call="POST /v1/chat/completions"
      body={{ model: "svc-echo", messages: [{ role: "user", content: "Hello" }] }}
    />
    <p>
      With a test key this works at once: <Code>svc-echo</Code> is a simulation that repeats your message. Its answers
      have <Code>&quot;simulated&quot;: true</Code>.
    </p>
    <h3 className="pt-2 font-semibold">2. List the models of your key</h3>
    <Call title="List models" call="GET /v1/models" />
    <h3 className="pt-2 font-semibold">3. Use OpenAI&apos;s client</h3>
    <ClientExamples />
  </>
);
