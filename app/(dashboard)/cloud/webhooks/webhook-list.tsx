"use client";

import { Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { type Columns, nameColumn, timeColumn } from "../../components/data-table";
import { type DialogState, NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
import { CreateWebhookDialog } from "./create-webhook-dialog";
import { kindsSummary } from "./kind-groups";
import { SecretOfWebhook } from "./secret-of-webhook";
import { StatusBadge } from "./status-badge";
import type { Webhook, WebhookSecret } from "./webhook";
import { WebhookUrl } from "./webhook-url";

const REFRESH_MS = 15_000;

const COLUMNS: Columns<Webhook> = [
  nameColumn("/cloud/webhooks", "project"),
  { label: "URL", cell: ({ url }) => <WebhookUrl url={url} className="block max-w-72 truncate" /> },
  { label: "Status", cell: (webhook) => <StatusBadge webhook={webhook} /> },
  { label: "Events", className: "min-w-36 text-muted-foreground text-xs", cell: ({ events }) => kindsSummary(events) },
  timeColumn("Created", ({ created_at }) => created_at),
];

export const WebhookList = ({ allowsLoopback }: { allowsLoopback: boolean }) => (
  <NounList
    title="Webhooks"
    description="svc sends the events that you choose to your servers, signed, and tries again when they do not respond."
    noun="webhook"
    icon={WebhookIcon}
    about="A webhook is a URL of yours that svc calls when something happens, such as a campaign that has spent its budget. Create one, choose its events, and send a test event to it."
    scopes="webhooks"
    pages={({ trpc, mode }) => trpc.listWebhooks.infiniteQueryOptions({ mode }, pagesEvery(REFRESH_MS))}
    columns={COLUMNS}
    dialog={(state) => <NewWebhook {...state} allowsLoopback={allowsLoopback} />}
  />
);

/** The dialog that creates a webhook, and then the one that shows its secret. */
function NewWebhook({ open, onOpenChange, allowsLoopback }: DialogState & { allowsLoopback: boolean }) {
  const [created, setCreated] = useState<WebhookSecret>();
  return (
    <>
      <CreateWebhookDialog
        open={open}
        onOpenChange={onOpenChange}
        allowsLoopback={allowsLoopback}
        onCreated={(webhook) => {
          onOpenChange(false);
          setCreated(webhook);
        }}
      />
      <SecretOfWebhook secret={created?.secret} onDone={() => setCreated(undefined)} />
    </>
  );
}
