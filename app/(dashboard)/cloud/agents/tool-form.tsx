"use client";

import { useMutation } from "@tanstack/react-query";
import { SelectField, TextAreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { Alert } from "../../../components/ui/alert";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { CodeBlock } from "../../../components/ui/code-block";
import { type ArgumentSchema, callTool, type Tool, type ToolResult } from "./call-endpoint";
import { readToolArguments } from "./read-tool-arguments";

/** A form with the arguments of a tool, and what the last call returned. */
export function ToolForm({ tool, apiKey }: { tool: Tool; apiKey: string }) {
  const call = useMutation({
    meta: { inline: true },
    mutationFn: (given: Record<string, unknown>) => callTool(apiKey, tool.name, given),
  });
  const { properties, required = [] } = tool.inputSchema;
  return (
    <div className="space-y-4">
      <p className="max-w-prose text-muted-foreground text-sm">{tool.description}</p>
      <p className="flex flex-wrap gap-2">
        <Badge tone={tool.annotations.readOnlyHint ? "neutral" : "warn"}>
          {tool.annotations.readOnlyHint ? "Only reads" : "Changes something"}
        </Badge>
        {tool.annotations.destructiveHint && <Badge tone="bad">Ends or deletes</Badge>}
      </p>
      <Form
        error={call.error}
        onSubmit={(fields) => call.mutate(readToolArguments(tool, fields))}
        className="max-w-xl space-y-4"
      >
        {Object.entries(properties).map(([name, schema]) => (
          <ArgumentField key={name} name={name} schema={schema} isRequired={required.includes(name)} />
        ))}
        <Button type="submit" pending={call.isPending}>
          Call {tool.name}
        </Button>
      </Form>
      {call.data && <Result result={call.data} />}
    </div>
  );
}

function ArgumentField({ name, schema, isRequired }: { name: string; schema: ArgumentSchema; isRequired: boolean }) {
  const field = { name, label: name, hint: schema.description, ...(isRequired ? {} : { optional: true }) };
  const choices = schema.type === "boolean" ? [true, false] : schema.enum;
  if (choices) {
    return (
      <SelectField {...field} defaultValue="">
        <option value="">{isRequired ? "Choose" : "Not sent"}</option>
        {choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </SelectField>
    );
  }
  if (schema.type === "string") return <TextField {...field} autoComplete="off" spellCheck={false} />;
  if (schema.type === "integer" || schema.type === "number") {
    return <TextField {...field} inputMode="decimal" autoComplete="off" />;
  }
  return <TextAreaField {...field} rows={3} spellCheck={false} className="[&_textarea]:font-mono" />;
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
