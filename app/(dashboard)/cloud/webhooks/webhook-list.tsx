"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { type DialogState, NounList } from "../../components/noun-list";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateWebhookDialog } from "./create-webhook-dialog";
import { kindsSummary } from "./kind-groups";
import { SecretOfWebhook } from "./secret-of-webhook";
import { StatusBadge } from "./status-badge";
import type { Webhook, WebhookSecret } from "./webhook";
import { WebhookUrl } from "./webhook-url";

const REFRESH_MS = 15_000;

const COLUMNS: NounColumn<Webhook>[] = [
  { label: "URL", cell: ({ url }) => <WebhookUrl url={url} className="block max-w-72 truncate" /> },
  { label: "Status", cell: (webhook) => <StatusBadge webhook={webhook} /> },
  { label: "Events", className: "min-w-36 text-muted-foreground text-xs", cell: ({ events }) => kindsSummary(events) },
  {
    label: "Created",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ created_at }) => formatDateTime(created_at),
  },
];

export const WebhookList = ({ allowsLoopback }: { allowsLoopback: boolean }) => (
  <NounList
    title="Webhooks"
    description="svc sends the events that you choose to your servers, signed, and tries again when they do not respond."
    noun="webhook"
    icon={WebhookIcon}
    about="A webhook is a URL of yours that svc calls when something happens, such as a campaign that has spent its budget. Create one, choose its events, and send a test event to it."
    scopes="webhooks"
    usePages={useWebhooks}
    dialog={(state) => <NewWebhook {...state} allowsLoopback={allowsLoopback} />}
  >
    {(webhooks) => (
      <NounTable
        caption="Webhooks"
        rows={webhooks}
        href={({ id }) => `/cloud/webhooks/${id}`}
        columns={COLUMNS}
        showsProject
      />
    )}
  </NounList>
);

function useWebhooks() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(
    trpc.listWebhooks.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS }),
  );
}

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
