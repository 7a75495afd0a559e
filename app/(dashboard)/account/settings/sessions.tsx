import { LogOut } from "lucide-react";
import { QuerySection } from "../../../components/query-content";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Confirm } from "../../../components/ui/confirm";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatRelativeTime } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { type Columns, DataTable, timeColumn } from "../../components/data-table";
import { questionOf } from "../../components/row-actions";
import { deviceOf } from "../components/device-of";

type Session = Outputs["listSessions"][number];

const REFRESH_MS = 30_000;

const COLUMNS: Columns<Session> = [
  {
    label: "Device",
    className: "max-w-72",
    cell: ({ kind, current, user_agent }) => (
      <>
        <span className="mr-2" title={user_agent}>
          {deviceOf(user_agent)}
        </span>
        {current && <Badge tone="accent">current</Badge>}
        {kind === "api" && <Badge>API</Badge>}
      </>
    ),
  },
  timeColumn("Logged in", ({ created_at }) => created_at),
  {
    label: "Expires",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ expires_at }) => formatRelativeTime(expires_at),
  },
];

export function Sessions() {
  const query = useQueryOf("listSessions", undefined, { refetchInterval: REFRESH_MS });
  const revokeOthers = useMutationOf("revokeOtherSessions", { meta: { done: "All other sessions ended." } });
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
    <QuerySection id="sessions" title="Sessions" description="Where you are logged in." actions={others} query={query}>
      {(sessions) => (
        <DataTable
          caption="Where you are logged in"
          rows={sessions}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          menu={(session) => !session.current && <SessionMenu session={session} />}
        />
      )}
    </QuerySection>
  );
}

function SessionMenu({ session: { id, user_agent } }: { session: Session }) {
  const revoke = useMutationOf("revokeSession", { meta: { done: "Session ended." } });
  const name = `the session on ${deviceOf(user_agent)}`;
  const ending = {
    label: "End session",
    icon: LogOut,
    question: questionOf("End", {
      noun: "session",
      name,
      consequence: "That device must log in again. This cannot be undone.",
    }),
    onConfirm: () => revoke.mutateAsync({ session_id: id }),
  };
  return <RowMenu name={name} actions={[ending]} />;
}
