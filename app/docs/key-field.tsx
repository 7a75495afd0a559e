"use client";

import { useEffect, useId, useRef } from "react";
import { Card } from "../components/ui/card";
import { Input } from "../components/ui/input";
import { useRunner } from "./runner";
import { KEY_VARIABLES } from "./snippet-request";

const KEY_LABELS = {
  platform: { label: "Your platform key", placeholder: "svc_test_…", from: "the dashboard's API keys" },
  channel: { label: "Your channel key", placeholder: "svc_srv_…", from: "the page of your channel" },
} as const;

/** The input for the key that the page's examples use. */
export function KeyField({ kind }: { kind: keyof typeof KEY_LABELS }) {
  const { keys, setKey } = useRunner();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // What was typed before this code ran; the provider's effect, which reads the stored keys, runs after this one.
  useEffect(() => {
    const typed = input.current?.value.trim();
    if (typed) setKey(kind, typed);
  }, [kind, setKey]);
  const { label, placeholder, from } = KEY_LABELS[kind];
  return (
    <Card className="my-6 p-4 sm:p-5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <Input
        ref={input}
        id={id}
        type="password"
        autoComplete="off"
        spellCheck={false}
        className="mt-2 max-w-xl font-mono"
        placeholder={placeholder}
        aria-describedby={`${id}-hint`}
        value={keys[kind]}
        onChange={(event) => setKey(kind, event.target.value.trim())}
      />
      <p id={`${id}-hint`} className="mt-2 max-w-prose text-muted-foreground text-xs leading-5">
        From {from}. The Run buttons below use it. It stays in this tab and is sent only to this server's API. In a
        shell: <code className="font-mono">export {KEY_VARIABLES[kind]}=…</code>
      </p>
    </Card>
  );
}
