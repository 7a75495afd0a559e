"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Pencil, Plus, Server, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { EmptyState } from "../../../../components/ui/empty-state";
import { RowMenu } from "../../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { useTRPC } from "../../../../trpc/client";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { useHasScope } from "../../../components/shell/access";
import { useMode } from "../../../components/shell/mode";
import type { ChatUpstream } from "../wire";
import { UpstreamDialog } from "./upstream-dialog";

/** Servers with OpenAI's API that the tenant added to the project. */
export function Upstreams({ project }: { project: string }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const canWrite = useHasScope("gateway:write");
  const [edited, setEdited] = useState<ChatUpstream | "new">();
  const query = useInfiniteQuery(
    trpc.listChatUpstreams.infiniteQueryOptions({ mode, project }, { getNextPageParam: nextCursor }),
  );
  const add = canWrite && (
    <Button onClick={() => setEdited("new")}>
      <Plus aria-hidden />
      Add upstream
    </Button>
  );
  return (
    <Section
      title="Upstreams"
      description="Servers with OpenAI's API. They are used before those of the installation, which test mode does not use."
      actions={query.data?.pages[0]?.data.length ? add : undefined}
    >
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={Server} title={`No upstreams in ${mode} mode yet`} action={add}>
            Add the address of a provider or of a server of your own, and the models that are called there.
          </EmptyState>
        }
      >
        {(upstreams) => <UpstreamTable upstreams={upstreams} onEdit={setEdited} />}
      </PagedContent>
      <UpstreamDialog upstream={edited} project={project} onClose={() => setEdited(undefined)} />
    </Section>
  );
}

const COLUMNS = [{ label: "Name" }, { label: "Models" }, { label: "Key" }, { label: "Priority", numeric: true }];

interface UpstreamTableProps {
  upstreams: ChatUpstream[];
  onEdit: (upstream: ChatUpstream) => void;
}

function UpstreamTable({ upstreams, onEdit }: UpstreamTableProps) {
  const trpc = useTRPC();
  const canWrite = useHasScope("gateway:write");
  const deletion = useMutation(trpc.deleteChatUpstream.mutationOptions({ meta: { done: "Upstream deleted." } }));
  return (
    <Table caption="Upstreams of the project" columns={canWrite ? [...COLUMNS, { label: "" }] : COLUMNS}>
      {upstreams.map((upstream) => (
        <Row key={upstream.id}>
          <RowHeading className="max-w-72">
            <span className="break-words">{upstream.name}</span>
            <span className="block break-all font-normal text-muted-foreground text-xs">{upstream.base_url}</span>
          </RowHeading>
          <Cell className="min-w-32 max-w-72 break-words">{upstream.models.map(({ name }) => name).join(", ")}</Cell>
          <Cell className="break-all text-muted-foreground">{upstream.api_key?.secret ?? "none"}</Cell>
          <Cell numeric>{upstream.priority}</Cell>
          {canWrite && (
            <ActionsCell>
              <RowMenu
                name={upstream.name}
                actions={[
                  { label: "Edit", icon: Pencil, onSelect: () => onEdit(upstream) },
                  {
                    label: "Delete",
                    icon: Trash2,
                    onConfirm: () => deletion.mutateAsync({ id: upstream.id }),
                    question: {
                      title: `Delete ${upstream.name}?`,
                      consequence: "Requests for models that only this upstream has fail from now on.",
                      action: "Delete upstream",
                    },
                  },
                ]}
              />
            </ActionsCell>
          )}
        </Row>
      ))}
    </Table>
  );
}
