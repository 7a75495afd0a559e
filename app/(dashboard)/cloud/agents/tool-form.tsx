import { useMutation } from "@tanstack/react-query";
import { Form } from "../../../components/form/form";
import { schemaFieldsIn } from "../../../components/form/read-schema-fields";
import { SchemaFields } from "../../../components/form/schema-fields";
import { Alert } from "../../../components/ui/alert";
import { Badge } from "../../../components/ui/badge";
import { CodeBlock } from "../../../components/ui/code-block";
import { callTool, type Tool, type ToolResult } from "./call-endpoint";

/** A form with the arguments of a tool, and what the last call returned. */
export function ToolForm({ tool, apiKey }: { tool: Tool; apiKey: string }) {
  const { readOnlyHint = false, destructiveHint = true } = tool.annotations;
  const call = useMutation({
    meta: { inline: true },
    mutationFn: (given: Record<string, unknown>) => callTool(apiKey, tool.name, given),
  });
  return (
    <div className="space-y-4">
      <p className="max-w-prose text-muted-foreground text-sm">{tool.description}</p>
      <p className="flex flex-wrap gap-2">
        <Badge tone={readOnlyHint ? "neutral" : "warn"}>{readOnlyHint ? "Only reads" : "Changes something"}</Badge>
        {!readOnlyHint && destructiveHint && <Badge tone="bad">Ends or deletes</Badge>}
      </p>
      <Form
        sends={call}
        onSubmit={(fields) => call.mutate(schemaFieldsIn(tool.inputSchema, fields))}
        className="max-w-xl space-y-4"
        label={`Call ${tool.name}`}
      >
        <SchemaFields schema={tool.inputSchema} />
      </Form>
      {call.data && <Result result={call.data} />}
    </div>
  );
}

function Result({ result: { isError, content, structuredContent } }: { result: ToolResult }) {
  const text = content.map((part) => part.text ?? "").join("\n");
  // The second line of a rejection is the same as JSON, for programs.
  if (isError) return <Alert tone="bad">{text.split("\n", 1)[0]}</Alert>;
  const code = structuredContent === undefined ? text : JSON.stringify(structuredContent, null, 2);
  return (
    <div role="status" className="[&_pre]:max-h-96 [&_pre]:overflow-auto">
      <CodeBlock label="Result" code={code} />
    </div>
  );
}
