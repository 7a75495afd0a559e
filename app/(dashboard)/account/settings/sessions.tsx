"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { QueryContent } from "../../../components/query-content";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { Confirm } from "../../../components/ui/confirm";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime, formatRelativeTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { deviceOf } from "../components/device-of";

const REFRESH_MS = 30_000;
const COLUMNS = [{ label: "Device" }, { label: "Logged in" }, { label: "Expires" }, { label: "" }];

export function Sessions() {
  const trpc = useTRPC();
  const query = useQuery(trpc.listSessions.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const revoke = useMutation(trpc.revokeSession.mutationOptions({ meta: { done: "Session ended." } }));
  const revokeOthers = useMutation(
    trpc.revokeOtherSessions.mutationOptions({ meta: { done: "All other sessions ended." } }),
  );
  const others = (query.data?.length ?? 0) > 1 && (
    <Confirm
      trigger={
        <Button variant="outline" size="sm">
          Log out everywhere else
        </Button>
      }
      title="End all other sessions?"
      consequence="All your other browsers and programs must log in again. This cannot be undone."
      action="End sessions"
      onConfirm={() => revokeOthers.mutateAsync()}
    />
  );
  return (
    <Section id="sessions" title="Sessions" description="Where you are logged in." actions={others}>
      <QueryContent query={query}>
        {(sessions) => (
          <Table caption="Where you are logged in" columns={COLUMNS}>
            {sessions.map(({ id, kind, current, user_agent, created_at, expires_at }) => (
              <Row key={id}>
                <RowHeading className="max-w-72" title={user_agent}>
                  <span className="mr-2">{deviceOf(user_agent)}</span>
                  {current && <Badge tone="accent">current</Badge>}
                  {kind === "api" && <Badge>API</Badge>}
                </RowHeading>
                <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(created_at)}</Cell>
                <Cell className="whitespace-nowrap text-muted-foreground">{formatRelativeTime(expires_at)}</Cell>
                <ActionsCell>
                  {!current && (
                    <RowMenu
                      name={`the session on ${deviceOf(user_agent)}`}
                      actions={[
                        {
                          label: "End session",
                          icon: LogOut,
                          question: {
                            title: `End the session on ${deviceOf(user_agent)}?`,
                            consequence: "That device must log in again. This cannot be undone.",
                            action: "End session",
                          },
                          onConfirm: () => revoke.mutateAsync({ session_id: id }),
                        },
                      ]}
                    />
                  )}
                </ActionsCell>
              </Row>
            ))}
          </Table>
        )}
      </QueryContent>
    </Section>
  );
}
