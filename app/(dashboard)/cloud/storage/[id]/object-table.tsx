import { Download, File, Folder, Info } from "lucide-react";
import { Badge } from "../../../../components/ui/badge";
import { RowMenu } from "../../../../components/ui/row-menu";
import { formatBytes } from "../../../../format/bytes";
import { formatDateTime } from "../../../../format/dates";
import { useTRPCClient } from "../../../../trpc/client";
import { useMutationOf } from "../../../../trpc/use-operation";
import { type Column, DataTable } from "../../../components/data-table";
import { deleteAction } from "../../../components/row-actions";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { useHasScope } from "../../../components/shell/access";
import type { Bucket, StoredObject } from "../bucket";
import type { Chosen } from "./delete-chosen";
import { download } from "./download";
import { nameBelow } from "./object-keys";

type Listed = { folder: string } | { object: StoredObject };

const keyOf = (listed: Listed): string => ("folder" in listed ? listed.folder : listed.object.key);

interface ObjectTableProps {
  bucket: Bucket;
  prefix: string;
  folders: readonly string[];
  objects: readonly StoredObject[];
  chosen: Chosen;
  /** Undefined where nothing can be done with several objects. */
  onChoose: ((chosen: Chosen) => void) | undefined;
  onOpenFolder: (prefix: string) => void;
  onOpenObject: (object: StoredObject) => void;
}

/** Folders first, then objects, each in the order of their keys. */
export function ObjectTable({ bucket, prefix, folders, objects, chosen, onChoose, ...open }: ObjectTableProps) {
  const nameOf = (listed: Listed) => nameBelow(keyOf(listed), prefix);
  const partOf = (listed: Listed) => ("folder" in listed ? "folders" : "keys");
  const selection = onChoose && {
    nameOf,
    isChosen: (listed: Listed) => chosen[partOf(listed)].includes(keyOf(listed)),
    onToggle: (listed: Listed) =>
      onChoose({ ...chosen, [partOf(listed)]: toggled(chosen[partOf(listed)], keyOf(listed)) }),
    onAll: (isChosen: boolean) =>
      onChoose(isChosen ? { keys: objects.map(({ key }) => key), folders } : { keys: [], folders: [] }),
  };
  const onOpen = (listed: Listed) =>
    "folder" in listed ? open.onOpenFolder(listed.folder) : open.onOpenObject(listed.object);
  return (
    <DataTable
      caption="Objects"
      rows={[...folders.map((folder) => ({ folder })), ...objects.map((object) => ({ object }))]}
      keyOf={keyOf}
      columns={[
        {
          label: "Name",
          className: "min-w-48 max-w-96",
          cell: (listed) => <Name listed={listed} name={nameOf(listed)} onOpen={() => onOpen(listed)} />,
        },
        ...COLUMNS,
      ]}
      selection={selection}
      menu={(listed) =>
        "folder" in listed ? (
          <span className="block h-9" />
        ) : (
          <ObjectMenu bucket={bucket} object={listed.object} onOpenObject={open.onOpenObject} />
        )
      }
    />
  );
}

const COLUMNS: Column<Listed>[] = [
  { label: "Size", numeric: true, cell: (listed) => "object" in listed && formatBytes(listed.object.size) },
  {
    label: "Type",
    className: "text-muted-foreground",
    cell: (listed) => <Type text={"folder" in listed ? "Folder" : listed.object.content_type} />,
  },
  {
    label: "Last modified",
    className: "whitespace-nowrap text-muted-foreground",
    cell: (listed) => "object" in listed && formatDateTime(listed.object.last_modified),
  },
];

const Type = ({ text }: { text: string }) => (
  <span className="block max-w-40 truncate" title={text}>
    {text}
  </span>
);

const toggled = (keys: readonly string[], key: string): string[] =>
  keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];

interface NameProps {
  listed: Listed;
  name: string;
  onOpen: () => void;
}

/** With the storage class of an object, unless it is hot. */
function Name({ listed, name, onOpen }: NameProps) {
  const Icon = "folder" in listed ? Folder : File;
  const tier = "folder" in listed ? "hot" : listed.object.tier;
  return (
    <button type="button" className={`${ROW_LINK_STYLE} flex w-full items-center gap-2 text-left`} onClick={onOpen}>
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="wrap-anywhere min-w-0">{name}</span>
      {tier !== "hot" && <Badge>{tier}</Badge>}
    </button>
  );
}

interface ObjectMenuProps extends Pick<ObjectTableProps, "bucket" | "onOpenObject"> {
  object: StoredObject;
}

function ObjectMenu({ bucket, object, onOpenObject }: ObjectMenuProps) {
  const client = useTRPCClient();
  const deletion = useMutationOf("deleteObject", { meta: { done: "Object deleted." } });
  const { key } = object;
  const isKept = bucket.versioning === "on";
  const canWrite = useHasScope("storage:write");
  const question = {
    title: "Delete this object?",
    consequence: (
      <span className="wrap-anywhere">
        {isKept
          ? `${key} is no longer listed. Its older versions stay, and S3 clients can restore it.`
          : `${key} cannot be restored.`}
      </span>
    ),
    action: "Delete object",
  };
  const deleting = deleteAction(question, () => deletion.mutateAsync({ bucket: bucket.id, key }));
  return (
    <RowMenu
      name={key}
      actions={[
        { label: "Details and link", icon: Info, onSelect: () => onOpenObject(object) },
        { label: "Download", icon: Download, onSelect: () => void download(client, bucket, key) },
        ...(canWrite ? [deleting] : []),
      ]}
    />
  );
}
