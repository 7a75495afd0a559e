"use client";

import { Inbox } from "lucide-react";
import { QueryContent } from "../../../components/query-content";
import { Card } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { formatDateTime } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { splitLinks } from "./split-links";

type OutboxEmail = Outputs["listOutbox"][number];

const REFRESH_MS = 5000;

export function Outbox() {
  const query = useQueryOf("listOutbox", undefined, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader
        title="Outbox"
        description="This installation does not send email. These are the messages for your tenant, newest first."
      />
      <QueryContent query={query}>
        {(emails) =>
          emails.length === 0 ? (
            <EmptyState icon={Inbox} title="No messages yet">
              Verification emails and invitations appear here. For password links, ask the operator.
            </EmptyState>
          ) : (
            <ul className="space-y-4">
              {emails.map((email) => (
                <li key={email.id}>
                  <EmailCard email={email} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
    </>
  );
}

const EmailCard = ({ email: { to, subject, text, created_at } }: { email: OutboxEmail }) => (
  <Card className="p-5">
    <h2 className="font-semibold">{subject}</h2>
    <p className="mt-0.5 break-all text-muted-foreground text-sm">
      to {to}, {formatDateTime(created_at)}
    </p>
    <p className="mt-4 whitespace-pre-wrap break-words text-sm leading-6">
      {splitLinks(text).map(({ at, text, isLink }) =>
        isLink ? (
          <a key={at} href={text} className="break-all text-primary underline underline-offset-4">
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </p>
  </Card>
);
