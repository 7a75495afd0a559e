"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, File, Folder, Info, type LucideIcon } from "lucide-react";
import { Badge } from "../../../../components/ui/badge";
import { Checkbox } from "../../../../components/ui/input";
import { RowMenu } from "../../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatBytes } from "../../../../format/bytes";
import { formatDateTime } from "../../../../format/dates";
import { useTRPC, useTRPCClient } from "../../../../trpc/client";
import { deleteAction } from "../../../components/row-actions";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { useHasScope } from "../../../components/shell/access";
import type { Bucket, StoredObject, Tier } from "../bucket";
import type { Chosen } from "./delete-chosen";
import { download } from "./download";
import { nameBelow } from "./object-keys";

const COLUMNS = [
  { label: "Name" },
  { label: "Size", numeric: true },
  { label: "Type" },
  { label: "Last modified" },
  { label: "" },
];

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
export const ObjectTable = ({ folders, objects, prefix, chosen, onChoose, ...rest }: ObjectTableProps) => {
  const chooser = (part: keyof Chosen, key: string) =>
    onChoose && {
      checked: chosen[part].includes(key),
      onChange: () => onChoose({ ...chosen, [part]: toggled(chosen[part], key) }),
    };
  const all = { keys: objects.map(({ key }) => key), folders };
  return (
    <Table caption="Objects" columns={onChoose ? [allColumn({ all, chosen, onChoose }), ...COLUMNS] : COLUMNS}>
      {folders.map((folder) => (
        <FolderRow
          key={folder}
          name={nameBelow(folder, prefix)}
          choice={chooser("folders", folder)}
          onOpen={() => rest.onOpenFolder(folder)}
        />
      ))}
      {objects.map((object) => (
        <ObjectRow
          key={object.key}
          object={object}
          name={nameBelow(object.key, prefix)}
          choice={chooser("keys", object.key)}
          {...rest}
        />
      ))}
    </Table>
  );
};

const toggled = (keys: readonly string[], key: string): string[] =>
  keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];

interface AllColumnOptions {
  all: Chosen;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}

function allColumn({ all, chosen, onChoose }: AllColumnOptions) {
  const checked =
    all.keys.every((key) => chosen.keys.includes(key)) &&
    all.folders.every((folder) => chosen.folders.includes(folder));
  return {
    label: "Select",
    control: (
      <Checkbox
        aria-label="Select all shown"
        className="block"
        checked={checked}
        onChange={() => onChoose(checked ? { keys: [], folders: [] } : all)}
      />
    ),
  };
}

interface RowProps {
  name: string;
  /** Undefined where nothing can be done with several objects. */
  choice: { checked: boolean; onChange: () => void } | undefined;
}

const ChoiceCell = ({ name, choice }: RowProps) =>
  choice && (
    <Cell className="w-px pr-0 sm:pr-0">
      <Checkbox aria-label={`Select ${name}`} className="block" {...choice} />
    </Cell>
  );

interface NameCellProps {
  name: string;
  icon: LucideIcon;
  /** Shown unless it is hot. */
  tier?: Tier;
  onOpen: () => void;
}

const NameCell = ({ name, icon: Icon, tier = "hot", onOpen }: NameCellProps) => (
  <RowHeading className="min-w-48 max-w-96">
    <button type="button" className={`${ROW_LINK_STYLE} flex w-full items-center gap-2 text-left`} onClick={onOpen}>
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="wrap-anywhere min-w-0">{name}</span>
      {tier !== "hot" && <Badge>{tier}</Badge>}
    </button>
  </RowHeading>
);

const FolderRow = ({ name, choice, onOpen }: RowProps & { onOpen: () => void }) => (
  <Row>
    <ChoiceCell name={name} choice={choice} />
    <NameCell name={name} icon={Folder} onOpen={onOpen} />
    <Cell />
    <Cell className="text-muted-foreground">Folder</Cell>
    <Cell />
    <ActionsCell className="h-11" />
  </Row>
);

interface ObjectRowProps extends RowProps, Pick<ObjectTableProps, "bucket" | "onOpenObject"> {
  object: StoredObject;
}

const ObjectRow = ({ bucket, object, name, choice, onOpenObject }: ObjectRowProps) => (
  <Row>
    <ChoiceCell name={name} choice={choice} />
    <NameCell name={name} icon={File} tier={object.tier} onOpen={() => onOpenObject(object)} />
    <Cell numeric className="whitespace-nowrap">
      {formatBytes(object.size)}
    </Cell>
    <Cell className="max-w-48 truncate text-muted-foreground" title={object.content_type}>
      {object.content_type}
    </Cell>
    <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(object.last_modified)}</Cell>
    <ActionsCell>
      <ObjectMenu bucket={bucket} object={object} onOpenObject={onOpenObject} />
    </ActionsCell>
  </Row>
);

function ObjectMenu({ bucket, object, onOpenObject }: Pick<ObjectRowProps, "bucket" | "object" | "onOpenObject">) {
  const [trpc, client] = [useTRPC(), useTRPCClient()];
  const deletion = useMutation(trpc.deleteObject.mutationOptions({ meta: { done: "Object deleted." } }));
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
