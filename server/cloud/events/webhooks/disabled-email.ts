import type { EmailText } from "../../../engines/mail/mail";
import type { Webhook as WebhookRow } from "../../../engines/postgres/generated/client";
import { loggedUrl } from "./webhook";

interface Disabled {
  publicUrl: string;
  webhook: Pick<WebhookRow, "id" | "name" | "url" | "disabledReason" | "failingSince" | "mode">;
  to: string;
}

/** Tells an owner that svc disabled a webhook. */
export const disabledEmail = ({ publicUrl, webhook, to }: Disabled): EmailText => ({
  to,
  subject: `Webhook disabled: ${webhook.name}`,
  text: `svc disabled the webhook "${webhook.name}" (${webhook.id}, ${webhook.mode} mode):

${loggedUrl(webhook.url)}

${webhook.disabledReason === "gone" ? GONE : failing(webhook.failingSince)}

No further events are sent to it, and its pending deliveries have failed. Deliveries are kept for 30 days. When the
endpoint works again, enable the webhook and replay them:

${publicUrl}/cloud/webhooks/${webhook.id}
`,
});

const GONE = "Its endpoint responded with status 410 (Gone), which means that it wants no more requests.";

const failing = (since: Date | null): string =>
  `Every attempt has failed since ${since?.toISOString() ?? "5 days ago"}.`;
