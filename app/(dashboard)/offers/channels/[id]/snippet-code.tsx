import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { CodeBlock } from "../../../../components/ui/code-block";
import { Skeleton } from "../../../../components/ui/skeleton";
import { Tabs } from "../../../components/tabs";
import type { Channel } from "./channel";
import {
  policyLine,
  reactSnippet,
  type SlotChoices,
  scriptSnippet,
  serverCall,
  type WidgetVersion,
  widgetSnippet,
} from "./snippet-text";
import { WithBrowserKey } from "./with-browser-key";

const OWN_SCRIPT = "Put the second script into a file of yours, or give it a nonce.";

interface SnippetCodeProps {
  channel: Channel;
  publicUrl: string;
  choices: SlotChoices;
  isPinned: boolean;
  version: UseQueryResult<WidgetVersion>;
}

/** The code for each way to show offers. */
export function SnippetCode({ channel, publicUrl, choices, isPinned, version }: SnippetCodeProps) {
  const [tab, setTab] = useState("html");
  const [chosen, setChosen] = useState<string>();
  const widget = (write: typeof widgetSnippet, label: string, policy: string) => {
    const code = (key: string, pinned?: WidgetVersion) => (
      <>
        <CodeBlock label={label} code={write({ ...choices, publicUrl, key, pinned })} />
        <Policy publicUrl={publicUrl}>{policy}</Policy>
      </>
    );
    return (
      <WithBrowserKey channel={channel} chosen={chosen} onChoose={setChosen}>
        {(key) =>
          isPinned ? (
            <QueryContent query={version} loading={<Skeleton className="h-36" />}>
              {(pinned) => code(key, pinned)}
            </QueryContent>
          ) : (
            code(key)
          )
        }
      </WithBrowserKey>
    );
  };
  return (
    <Tabs
      label="Ways to show offers"
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: "html",
          label: "HTML",
          content: widget(
            widgetSnippet,
            "HTML, with a browser key",
            choices.source === "script" ? OWN_SCRIPT : "Nothing inline is needed.",
          ),
        },
        {
          value: "script",
          label: "JavaScript",
          content: widget(scriptSnippet, "For apps that build their pages by script", OWN_SCRIPT),
        },
        {
          value: "react",
          label: "React",
          content: widget(reactSnippet, "React 19, with @svc/sdk", "The component takes a nonce, too."),
        },
        {
          value: "server",
          label: "Server",
          content: <ServerCall publicUrl={publicUrl} />,
        },
      ]}
    />
  );
}

const ServerCall = ({ publicUrl }: { publicUrl: string }) => (
  <>
    <p className="text-muted-foreground text-sm">
      Store a server key of this channel in the environment variable <code>SVC_CHANNEL_KEY</code>. It is shown only when
      it is created.
    </p>
    <CodeBlock label="Any backend, with a server key" code={serverCall(publicUrl)} />
  </>
);

const Policy = ({ publicUrl, children }: { publicUrl: string; children: string }) => (
  <div className="space-y-2">
    <p className="text-muted-foreground text-sm">
      Does your page send a Content-Security-Policy? Add this to what it allows. {children}
    </p>
    <CodeBlock label="Response header of your page" code={policyLine(publicUrl)} />
  </div>
);
