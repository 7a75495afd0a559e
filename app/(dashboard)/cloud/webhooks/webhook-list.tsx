"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { CreateWebhookDialog } from "./create-webhook-dialog";
import { kindsSummary } from "./kind-groups";
import { SecretOfWebhook } from "./secret-of-webhook";
import { StatusBadge } from "./status-badge";
import type { Webhook, WebhookSecret } from "./webhook";
import { WebhookUrl } from "./webhook-url";

const REFRESH_MS = 15_000;

export const WebhookList = ({ allowsLoopback }: { allowsLoopback: boolean }) => (
  <RequireScope scope="webhooks:read" title="Webhooks" what="the webhooks">
    <Webhooks allowsLoopback={allowsLoopback} />
  </RequireScope>
);

function Webhooks({ allowsLoopback }: { allowsLoopback: boolean }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const canWrite = useHasScope("webhooks:write");
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookSecret>();
  const query = useInfiniteQuery(
    trpc.listWebhooks.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS }),
  );
  const create = canWrite && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="svc sends the events that you choose to your servers, signed, and tries again when they do not respond."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={WebhookIcon} title={`No webhooks in ${mode} mode yet`} action={create}>
            A webhook is a URL of yours that svc calls when something happens, such as a campaign that has spent its
            budget. Create one, choose its events, and send a test event to it.
          </EmptyState>
        }
      >
        {(webhooks) => <WebhookTable webhooks={webhooks} />}
      </PagedContent>
      <CreateWebhookDialog
        open={creating}
        onOpenChange={setCreating}
        allowsLoopback={allowsLoopback}
        onCreated={(webhook) => {
          setCreating(false);
          setCreated(webhook);
        }}
      />
      <SecretOfWebhook secret={created?.secret} onDone={() => setCreated(undefined)} />
    </>
  );
}

const COLUMNS = [{ label: "Name" }, { label: "URL" }, { label: "Status" }, { label: "Events" }, { label: "Created" }];

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  const { projects, nameOf } = useProjects();
  return (
    <Table caption="Webhooks" columns={COLUMNS}>
      {webhooks.map((webhook) => (
        <Row key={webhook.id}>
          <RowHeading>
            <Link href={`/cloud/webhooks/${webhook.id}`} className={`${ROW_LINK_STYLE} break-words`}>
              {webhook.name}
            </Link>
            {projects.length > 1 && (
              <span className="block font-normal text-muted-foreground text-xs">{nameOf(webhook.project_id)}</span>
            )}
          </RowHeading>
          <Cell>
            <WebhookUrl url={webhook.url} className="block max-w-72 truncate" />
          </Cell>
          <Cell>
            <StatusBadge webhook={webhook} />
          </Cell>
          <Cell className="min-w-36 text-muted-foreground text-xs">{kindsSummary(webhook.events)}</Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(webhook.created_at)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
