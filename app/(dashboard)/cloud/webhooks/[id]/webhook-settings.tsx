import { useState } from "react";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { Link } from "../../../../components/ui/link";
import { formatDateTime } from "../../../../format/dates";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useProjects } from "../../../account/api-keys/use-projects";
import { Fact, Facts } from "../../../components/facts";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { useHasScope } from "../../../components/shell/access";
import { EditWebhookDialog } from "../edit-webhook-dialog";
import { statusText, type Webhook } from "../webhook";
import { WebhookUrl } from "../webhook-url";

interface WebhookSettingsProps {
  webhook: Webhook;
  allowsLoopback: boolean;
}

/** Where events are sent, which ones, and whether they are. */
export function WebhookSettings({ webhook, allowsLoopback }: WebhookSettingsProps) {
  const canWrite = useHasScope("webhooks:write");
  const canReadAudit = useHasScope("audit:read");
  const { nameOf } = useProjects();
  const [editing, setEditing] = useState(false);
  const { tone, explanation } = statusText(webhook);
  return (
    <Section
      title="Endpoint"
      actions={
        canWrite && (
          <>
            <Button variant="outline" size="sm" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <StatusButton webhook={webhook} />
          </>
        )
      }
    >
      <div className="space-y-4">
        {explanation && <Alert tone={tone === "neutral" ? "info" : "warn"}>{explanation}</Alert>}
        <Facts>
          <Fact name="URL" className="sm:col-span-2">
            <WebhookUrl url={webhook.url} className="break-all" />
          </Fact>
          <Fact name="Events" className="sm:col-span-2">
            <ul className="flex flex-wrap gap-1.5">
              {webhook.events.map((pattern) => (
                <li key={pattern} className="break-all rounded-md border bg-muted/60 px-1.5 py-0.5 font-mono text-xs">
                  {pattern}
                </li>
              ))}
            </ul>
          </Fact>
          <Fact name="Project">{nameOf(webhook.project_id)}</Fact>
          <Fact name="Created">
            {formatDateTime(webhook.created_at)}
            {canReadAudit && (
              <Link
                href={`/account/audit-log?target=${webhook.id}`}
                className={`${ROW_LINK_STYLE} ml-2 text-xs underline`}
              >
                Audit log
              </Link>
            )}
          </Fact>
        </Facts>
      </div>
      <EditWebhookDialog
        webhook={webhook}
        open={editing}
        onClose={() => setEditing(false)}
        allowsLoopback={allowsLoopback}
      />
    </Section>
  );
}

/** Disables an enabled webhook, after a question, and enables a disabled one. */
function StatusButton({ webhook: { id, name, status } }: { webhook: Webhook }) {
  const enable = useMutationOf("updateWebhook", { meta: { done: "Webhook enabled." } });
  const disable = useMutationOf("updateWebhook", { meta: { done: "Webhook disabled." } });
  if (status === "disabled") {
    return (
      <Button size="sm" pending={enable.isPending} onClick={() => enable.mutate({ id, status: "enabled" })}>
        Enable
      </Button>
    );
  }
  return (
    <Confirm
      trigger={
        <Button variant="outline" size="sm">
          Disable
        </Button>
      }
      title={`Disable ${name}?`}
      consequence="Pending deliveries fail, and events that happen while it is disabled are not delivered. You can enable it again at any time and replay the failed deliveries."
      action="Disable webhook"
      onConfirm={() => disable.mutateAsync({ id, status: "disabled" })}
    />
  );
}
