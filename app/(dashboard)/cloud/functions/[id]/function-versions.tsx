"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTime } from "../../../../format/dates";
import { useTRPC } from "../../../../trpc/client";
import { useHasScope } from "../../../components/shell/access";
import type { CloudFunction } from "../function";

const COLUMNS = [
  { label: "Version" },
  { label: "Handler" },
  { label: "Bytes", numeric: true },
  { label: "Deployed" },
  { label: "" },
];

/** The versions that are kept; each can be called again. */
export function FunctionVersions({ of: { id, name, version: current } }: { of: CloudFunction }) {
  const trpc = useTRPC();
  const canWrite = useHasScope("functions:write");
  const query = useQuery(trpc.cloud.functions.versions.queryOptions({ id }));
  const restore = useMutation(trpc.cloud.functions.restore.mutationOptions({ meta: { done: "Rolled back." } }));
  return (
    <Section title="Versions" description="The last 50 are kept.">
      <QueryContent query={query}>
        {({ data }) => (
          <Table caption={`Versions of ${name}`} columns={COLUMNS}>
            {data.map(({ version, handler, code_bytes, created_at }) => (
              <Row key={version}>
                <RowHeading>
                  {version}
                  {version === current && <span className="font-normal text-muted-foreground"> (current)</span>}
                </RowHeading>
                <Cell className="font-mono text-xs">{handler}</Cell>
                <Cell numeric>{code_bytes}</Cell>
                <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(created_at)}</Cell>
                <Cell>
                  {canWrite && version !== current && (
                    <Button
                      variant="outline"
                      size="sm"
                      aria-label={`Use version ${version}`}
                      pending={restore.isPending && restore.variables.version === version}
                      onClick={() => restore.mutate({ id, version })}
                    >
                      Use
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </QueryContent>
    </Section>
  );
}
