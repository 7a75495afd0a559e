"use client";

import { useState } from "react";
import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { Link } from "../../../components/ui/link";
import { PageHeader } from "../../components/page-header";
import { Tabs } from "../../components/tabs";
import { configurations } from "./configurations";
import { RecentCalls } from "./recent-calls";
import { TryTools } from "./try-tools";

const LINK = "underline underline-offset-2";

/** Connects an agent to svc, and tries its tools with a key. */
export function AgentsPage({ endpoint }: { endpoint: string }) {
  const [client, setClient] = useState("claude-code");
  const tabs = configurations(endpoint).map(({ value, label, where, code }) => ({
    value,
    label,
    content: <CodeBlock label={where} code={code} />,
  }));
  return (
    <>
      <PageHeader
        title="Agents"
        description="Agents operate svc through the Model Context Protocol, with the rights of an API key."
      />
      <div className="space-y-6">
        <Section
          title="Connect a client"
          description={
            <>
              Create a key on{" "}
              <Link href="/account/api-keys" className={LINK}>
                API keys
              </Link>{" "}
              with only the scopes that the agent needs, and use it in the examples. With a test key nothing is charged,
              and GPUs and chat answers are simulated.{" "}
              <Link href="/docs/agents" className={LINK}>
                How agents use svc
              </Link>
            </>
          }
        >
          <Tabs label="Clients" value={client} onChange={setClient} tabs={tabs} />
        </Section>
        <TryTools />
        <RecentCalls />
      </div>
    </>
  );
}
