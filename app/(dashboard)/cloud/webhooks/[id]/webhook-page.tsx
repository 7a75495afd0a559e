"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { useTRPC } from "../../../../trpc/client";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useHasScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { useScrollToHash } from "../../../components/use-scroll-to-hash";
import { SecretOfWebhook } from "../secret-of-webhook";
import { StatusBadge } from "../status-badge";
import type { Webhook } from "../webhook";
import { DeleteWebhook } from "./delete-webhook";
import { Deliveries } from "./deliveries";
import { SendTest } from "./send-test";
import { SigningSecret } from "./signing-secret";
import { WebhookSettings } from "./webhook-settings";

/** The status also changes without the reader: an endpoint starts to fail. */
const REFRESH_MS = 15_000;

interface WebhookPageProps {
  id: string;
  allowsLoopback: boolean;
}

export const WebhookPage = (props: WebhookPageProps) => (
  <RequireScope scope="webhooks:read" title="Webhook" what="the webhooks">
    <Content {...props} />
  </RequireScope>
);

function Content({ id, allowsLoopback }: WebhookPageProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.getWebhook.queryOptions({ id }, { refetchInterval: REFRESH_MS }));
  const { data: webhook } = query;
  useFollowMode(webhook);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/webhooks", label: "Webhooks" }}
        title={webhook?.name ?? "Webhook"}
        description={<span className="break-all font-mono text-xs">{id}</span>}
        actions={
          webhook && (
            <>
              <Badge tone={webhook.mode === "live" ? "good" : "warn"}>{webhook.mode}</Badge>
              <StatusBadge webhook={webhook} />
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(shown) => <Sections key={shown.id} webhook={shown} allowsLoopback={allowsLoopback} />}
      </QueryContent>
    </>
  );
}

function Sections({ webhook, allowsLoopback }: { webhook: Webhook; allowsLoopback: boolean }) {
  useScrollToHash();
  const canWrite = useHasScope("webhooks:write");
  const [secret, setSecret] = useState<string>();
  return (
    <div className="space-y-6">
      <WebhookSettings webhook={webhook} allowsLoopback={allowsLoopback} />
      {canWrite && <SendTest webhook={webhook} />}
      <Deliveries webhook={webhook} />
      <SigningSecret webhook={webhook} onRotated={(rotated) => setSecret(rotated.secret)} />
      {canWrite && <DeleteWebhook webhook={webhook} />}
      <SecretOfWebhook secret={secret} onDone={() => setSecret(undefined)} />
    </div>
  );
}
