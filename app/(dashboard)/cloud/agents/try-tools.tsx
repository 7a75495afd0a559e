import { useQuery } from "@tanstack/react-query";
import { Wrench } from "lucide-react";
import { useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Alert } from "../../../components/ui/alert";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { Skeleton } from "../../../components/ui/skeleton";
import { listTools, type Tool } from "./call-endpoint";
import { ToolForm } from "./tool-form";

/** Keys and session tokens are longer; a shorter text is still being typed. */
const KEY_CHARACTERS_MIN = 40;

/** Lists the tools that a key can call, and calls one with a form that is made from its schema. */
export function TryTools() {
  const [typed, setTyped] = useState("");
  const apiKey = typed.trim();
  const query = useQuery({
    queryKey: ["agent tools", apiKey],
    queryFn: () => listTools(apiKey),
    enabled: apiKey.length >= KEY_CHARACTERS_MIN,
    retry: false,
    gcTime: 0,
  });
  return (
    <Section
      title="Try the tools"
      description="Calls the endpoint as an agent would. The key stays in this tab and is sent only to this server."
    >
      <div className="space-y-4">
        <TextField
          name="key"
          label="API key"
          type="password"
          placeholder="svc_test_…"
          className="max-w-xl [&_input]:font-mono"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {query.isPending && query.isFetching && <Skeleton className="h-24" />}
        {query.error && <Alert tone="bad">{query.error.message}</Alert>}
        {query.data && <ToolChoice tools={query.data} apiKey={apiKey} />}
        {!query.isEnabled && (
          <EmptyState icon={Wrench} title="Enter a key to see its tools">
            A key can call the tools of its scopes, in its mode and project.
          </EmptyState>
        )}
      </div>
    </Section>
  );
}

function ToolChoice({ tools, apiKey }: { tools: Tool[]; apiKey: string }) {
  const [name, setName] = useState(tools[0]?.name ?? "");
  const tool = tools.find((one) => one.name === name);
  if (tools.length === 0) return <Alert tone="warn">This key has no scope of any tool.</Alert>;
  return (
    <>
      <SelectField
        name="tool"
        label={`Tool (${tools.length})`}
        className="max-w-xl"
        value={name}
        onChoose={setName}
        choices={tools.map((one) => ({ value: one.name, label: `${one.name}: ${one.title}` }))}
      />
      {tool && <ToolForm key={tool.name} tool={tool} apiKey={apiKey} />}
    </>
  );
}
