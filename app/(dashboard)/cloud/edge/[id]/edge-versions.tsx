"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTime } from "../../../../format/dates";
import { useTRPC } from "../../../../trpc/client";
import { useHasScope } from "../../../components/shell/access";
import type { EdgeFunction } from "../edge-function";

const COLUMNS = [
  { label: "Version" },
  { label: "Tried" },
  { label: "Bytes", numeric: true },
  { label: "Saved" },
  { label: "" },
];

/** The versions that are kept; earlier ones can serve again. */
export function EdgeVersions({ of: { id, name, version: draft, published_version: current } }: { of: EdgeFunction }) {
  const trpc = useTRPC();
  const canWrite = useHasScope("edge:write");
  const query = useQuery(trpc.cloud.edge.versions.queryOptions({ id }));
  const restore = useMutation(trpc.cloud.edge.restore.mutationOptions({ meta: { done: "Rolled back." } }));
  return (
    <Section title="Versions" description="The last 50 are kept.">
      <QueryContent query={query}>
        {({ data }) => (
          <Table caption={`Versions of ${name}`} columns={COLUMNS}>
            {data.map(({ version, smoke, code_bytes, created_at }) => (
              <Row key={version}>
                <RowHeading>
                  {version}
                  {version === current && <span className="font-normal text-muted-foreground"> (published)</span>}
                </RowHeading>
                <Cell>{smoke.outcome}</Cell>
                <Cell numeric>{code_bytes}</Cell>
                <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(created_at)}</Cell>
                <Cell>
                  {canWrite && version !== current && version !== draft && (
                    <Button
                      variant="outline"
                      size="sm"
                      aria-label={`Roll back to version ${version}`}
                      pending={restore.isPending && restore.variables.version === version}
                      onClick={() => restore.mutate({ id, version })}
                    >
                      Roll back
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
