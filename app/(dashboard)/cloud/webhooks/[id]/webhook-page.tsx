"use client";

import { useState } from "react";
import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
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

export const WebhookPage = ({ id, allowsLoopback }: WebhookPageProps) => (
  <NounPage
    id={id}
    noun="Webhook"
    list={{ href: "/cloud/webhooks", label: "Webhooks" }}
    scope="webhooks:read"
    query={(trpc) => trpc.getWebhook.queryOptions({ id }, { refetchInterval: REFRESH_MS })}
    actions={(webhook) => <StatusBadge webhook={webhook} />}
  >
    {(webhook) => <Sections webhook={webhook} allowsLoopback={allowsLoopback} />}
  </NounPage>
);

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
