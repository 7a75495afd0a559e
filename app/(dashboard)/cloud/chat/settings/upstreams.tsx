import { Pencil, Plus, Server } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { RowMenu } from "../../../../components/ui/row-menu";
import { useMutationOf } from "../../../../trpc/use-operation";
import { Below, type Columns } from "../../../components/data-table";
import { PagedList } from "../../../components/paged-list";
import { PAGES } from "../../../components/pages";
import { deleteAction, questionOf } from "../../../components/row-actions";
import { useHasScope } from "../../../components/shell/access";
import type { ChatUpstream } from "../wire";
import { UpstreamDialog } from "./upstream-dialog";

const COLUMNS: Columns<ChatUpstream> = [
  {
    label: "Name",
    className: "max-w-72 break-words",
    cell: ({ name, base_url }) => (
      <>
        {name}
        <Below className="break-all">{base_url}</Below>
      </>
    ),
  },
  {
    label: "Models",
    className: "min-w-32 max-w-72 break-words",
    cell: ({ models }) => models.map(({ name }) => name).join(", "),
  },
  { label: "Key", className: "break-all text-muted-foreground", cell: ({ api_key }) => api_key?.secret ?? "none" },
  { label: "Priority", numeric: true, cell: ({ priority }) => priority },
];

/** Servers with OpenAI's API that the tenant added to the project. */
export function Upstreams({ project }: { project: string }) {
  const canWrite = useHasScope("gateway:write");
  const [edited, setEdited] = useState<ChatUpstream | "new">();
  const add = canWrite && (
    <Button onClick={() => setEdited("new")} icon={Plus}>
      Add upstream
    </Button>
  );
  return (
    <Section
      title="Upstreams"
      description="Servers with OpenAI's API. They are used before those of the installation, which test mode does not use."
      actions={add}
    >
      <PagedList
        noun="upstream"
        icon={Server}
        about="Add the address of a provider or of a server of your own, and the models that are called there."
        scopes="gateway"
        caption="Upstreams of the project"
        pages={({ trpc, mode }) => trpc.listChatUpstreams.infiniteQueryOptions({ mode, project }, PAGES)}
        columns={COLUMNS}
        menu={(upstream) => <UpstreamMenu upstream={upstream} onEdit={() => setEdited(upstream)} />}
      />
      <UpstreamDialog upstream={edited} project={project} onClose={() => setEdited(undefined)} />
    </Section>
  );
}

function UpstreamMenu({ upstream: { id, name }, onEdit }: { upstream: ChatUpstream; onEdit: () => void }) {
  const deletion = useMutationOf("deleteChatUpstream", { meta: { done: "Upstream deleted." } });
  const consequence = "Requests for models that only this upstream has fail from now on.";
  const deleting = deleteAction(questionOf("Delete", { noun: "upstream", name, consequence }), () =>
    deletion.mutateAsync({ id }),
  );
  return <RowMenu name={name} actions={[{ label: "Edit", icon: Pencil, onSelect: onEdit }, deleting]} />;
}
