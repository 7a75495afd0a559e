import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { Link } from "../../../../components/ui/link";
import type { Queue } from "../queue";

interface FirstCallsProps {
  queue: Queue;
  publicUrl: string;
}

/** The calls of a program that sends and of one that receives, with this queue's name. */
export const FirstCalls = ({ queue: { name, mode }, publicUrl }: FirstCallsProps) => (
  <Section
    title="Use it from a program"
    description={
      <>
        With a{" "}
        <Link href={`/account/api-keys?mode=${mode}`} className="underline underline-offset-2">
          {mode} key
        </Link>{" "}
        of the project that has the scope queues:write.{" "}
        <Link href="/docs/queues" className="underline underline-offset-2">
          Documentation
        </Link>
      </>
    }
  >
    <CodeBlock label="Send, receive, acknowledge" code={callsOf(`${publicUrl}/v1/queues/${name}`)} />
  </Section>
);

const callsOf = (queueUrl: string): string =>
  [
    `curl -s "${queueUrl}/send" -H "Authorization: Bearer $SVC_KEY" \\`,
    `  -H "Content-Type: application/json" -d '{"body":{"to":"ada@example.com"}}'`,
    "",
    "# waits up to 20 seconds for messages",
    `curl -s "${queueUrl}/receive?max_messages=10&wait_seconds=20" -H "Authorization: Bearer $SVC_KEY"`,
    "",
    "# when the work is done, with the receipt of the message",
    `curl -s "${queueUrl}/acknowledge" -H "Authorization: Bearer $SVC_KEY" \\`,
    `  -H "Content-Type: application/json" -d '{"receipt":"rcp_…"}'`,
  ].join("\n");
