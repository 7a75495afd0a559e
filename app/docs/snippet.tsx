"use client";

import * as Tabs from "@radix-ui/react-tabs";
import { Play } from "lucide-react";
import { useState } from "react";
import { Badge } from "../components/ui/badge";
import { Button } from "../components/ui/button";
import { CopyButton } from "../components/ui/copy-button";
import { type CodeLanguage, Highlighted } from "./highlighted";
import { useRunner } from "./runner";
import { isLanguage, LANGUAGES, type Language } from "./snippet-code";
import { fillPlaceholders, missingIds, type SnippetRequest, toFetchInit } from "./snippet-request";

interface SnippetProps {
  title: string;
  request: SnippetRequest;
  /** Saves a field of the response for later steps: `["id", "channel_id"]`. */
  saveAs?: readonly [field: string, as: string];
}

interface CallResult {
  status: number;
  statusText: string;
  requestId: string;
  body: string;
}

const GRAMMARS: Readonly<Record<Language, CodeLanguage>> = { curl: "bash", python: "python", node: "javascript" };

/** An API call to copy as code in several languages, or to run on the page with the reader's own key. */
export function Snippet({ title, request, saveAs }: SnippetProps) {
  const { publicUrl, ids, language, setLanguage } = useRunner();
  const filled = fillPlaceholders(request, ids);
  const code = LANGUAGES[language].write(filled, publicUrl);
  const { pending, result, hint, run } = useCall(request, saveAs);
  return (
    <Tabs.Root
      asChild
      value={language}
      onValueChange={(value) => {
        if (isLanguage(value)) setLanguage(value);
      }}
    >
      <figure aria-label={title} className="my-4 overflow-hidden rounded-lg border bg-muted/50">
        <figcaption className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b py-1.5 pr-2 pl-3.5 text-muted-foreground text-xs">
          <span className="mr-auto">{title}</span>
          <LanguageTabs />
          <span className="flex shrink-0 gap-1.5">
            <CopyButton text={code} />
            <Button size="sm" pending={pending} onClick={() => void run()} aria-label={`Run: ${title}`}>
              {!pending && <Play aria-hidden />}
              Run
            </Button>
          </span>
        </figcaption>
        <Tabs.Content value={language} asChild>
          <pre className="overflow-x-auto p-3.5 font-mono text-[13px] leading-6">
            <code>
              <Highlighted code={code} language={GRAMMARS[language]} />
            </code>
          </pre>
        </Tabs.Content>
        <div aria-live="polite">
          {hint && <p className="border-t px-3.5 py-2.5 text-destructive text-sm">{hint}</p>}
          {result && !hint && <ResponseView {...result} />}
        </div>
      </figure>
    </Tabs.Root>
  );
}

/** Sends the request with the reader's key; `hint` says why it was not sent, or not responded to. */
function useCall(request: SnippetRequest, keep: SnippetProps["saveAs"]) {
  const { keys, ids: found, saveId: remember } = useRunner();
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<CallResult>();
  const [hint, setHint] = useState("");
  const filled = fillPlaceholders(request, found);
  const run = async () => {
    const problem = blockedBy(request, keys, found);
    setHint(problem ?? "");
    if (problem) return;
    setPending(true);
    try {
      const response = await fetch(filled.path, toFetchInit(filled, keys));
      const text = await response.text();
      const saved = keep && response.ok ? fieldOf(text, keep[0]) : undefined;
      if (keep && saved) remember(keep[1], saved);
      setResult({
        status: response.status,
        statusText: response.statusText,
        requestId: response.headers.get("x-request-id") ?? "",
        body: pretty(text),
      });
    } catch {
      setHint("The server did not respond. Check that it is running, then try again.");
    } finally {
      setPending(false);
    }
  };
  return { pending, result, hint, run };
}

/** The choice applies to all examples. */
const LanguageTabs = () => (
  <Tabs.List aria-label="Language" className="-ml-2 flex sm:ml-0">
    {Object.entries(LANGUAGES).map(([name, { label }]) => (
      <Tabs.Trigger
        key={name}
        value={name}
        className="rounded-md px-2 py-1 font-medium hover:text-foreground data-[state=active]:bg-accent data-[state=active]:text-accent-foreground"
      >
        {label}
      </Tabs.Trigger>
    ))}
  </Tabs.List>
);

const ResponseView = ({ status, statusText, requestId, body }: CallResult) => (
  <div className="border-t bg-card">
    <p className="flex flex-wrap items-center gap-2 px-3.5 pt-2.5 text-muted-foreground text-xs">
      <Badge tone={status < 400 ? "good" : "bad"}>
        {status} {statusText}
      </Badge>
      <span className="break-all font-mono">{requestId}</span>
    </p>
    {body && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
      <pre className="max-h-80 overflow-auto p-3.5 font-mono text-[13px] leading-6" tabIndex={0}>
        <code>{body}</code>
      </pre>
    )}
  </div>
);

const KEY_MISSING = {
  platform: "Enter your platform key in the field above first.",
  channel: "Enter your channel key in the field above first.",
} as const;

function blockedBy(
  request: SnippetRequest,
  keys: { platform: string; channel: string },
  found: Readonly<Record<string, string>>,
): string | undefined {
  if (request.key !== "none" && !keys[request.key]) return KEY_MISSING[request.key];
  const [missing] = missingIds(request, found);
  return missing && `Run the previous step first: it returns the ${missing.replaceAll("_", " ")}.`;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A field by its path, such as `offers.0.id`. */
function fieldOf(text: string, path: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" ? value : undefined;
}
