"use client";

import { useState } from "react";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatRelativeTime } from "../../../format/dates";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useHasScope } from "../../components/shell/access";
import { type ApiKey, maskedKey } from "./api-key";
import { ApiKeyDetails } from "./api-key-details";
import { ApiKeyMenu } from "./api-key-menu";
import { RotateApiKey, type RotatedKey } from "./rotate-api-key";
import { StateBadge } from "./state-badge";
import { useProjects } from "./use-projects";

const COLUMNS = [
  { label: "Name" },
  { label: "State" },
  { label: "Project" },
  { label: "Scopes" },
  { label: "Last used" },
  { label: "" },
];

interface ApiKeyTableProps {
  keys: ApiKey[];
  onRotated: (rotated: RotatedKey) => void;
}

export function ApiKeyTable({ keys, onRotated }: ApiKeyTableProps) {
  const { nameOf } = useProjects();
  const canWrite = useHasScope("keys:write");
  const [opened, setOpened] = useState<string>();
  const [rotating, setRotating] = useState<string>();
  return (
    <>
      <Table caption="Platform keys" columns={canWrite ? COLUMNS : COLUMNS.slice(0, -1)}>
        {keys.map((key) => (
          <Row key={key.id}>
            <RowHeading>
              <button type="button" className={`${ROW_LINK_STYLE} text-left`} onClick={() => setOpened(key.id)}>
                {key.name}
              </button>
              <span className="block whitespace-nowrap font-mono font-normal text-muted-foreground text-xs">
                {maskedKey(key)}
              </span>
            </RowHeading>
            <Cell>
              <StateBadge apiKey={key} />
            </Cell>
            <Cell className="min-w-32">{nameOf(key.project_id)}</Cell>
            <Cell className="min-w-36 text-muted-foreground text-xs">{scopesSummary(key.scopes)}</Cell>
            <Cell className="whitespace-nowrap text-muted-foreground">
              {key.last_used_at ? formatRelativeTime(key.last_used_at) : "never"}
            </Cell>
            {canWrite && (
              <ActionsCell>
                <ApiKeyMenu apiKey={key} onRotate={() => setRotating(key.id)} />
              </ActionsCell>
            )}
          </Row>
        ))}
      </Table>
      <ApiKeyDetails apiKey={keys.find(({ id }) => id === opened)} onClose={() => setOpened(undefined)} />
      <RotateApiKey
        apiKey={keys.find(({ id }) => id === rotating)}
        onClose={() => setRotating(undefined)}
        onRotated={onRotated}
      />
    </>
  );
}

const SCOPES_SHOWN = 2;

const scopesSummary = (scopes: readonly string[]): string =>
  scopes.length <= SCOPES_SHOWN + 1
    ? scopes.join(", ")
    : `${scopes.slice(0, SCOPES_SHOWN).join(", ")} and ${scopes.length - SCOPES_SHOWN} more`;
