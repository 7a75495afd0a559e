import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QuerySection } from "../../components/query-content";
import { Button } from "../../components/ui/button";
import { DataTable, timeColumn } from "./data-table";

/** A stored version of a program. */
interface StoredVersion {
  version: number;
  code_bytes: number;
  created_at: string;
}

interface VersionsSectionProps<V extends StoredVersion> {
  of: { id: string; name: string };
  query: UseQueryResult<{ data: V[] }, unknown>;
  /** The version that serves, and how it is marked. */
  current: number | null;
  currentText: string;
  /** A column between the number and the size. */
  detail: { label: string; of: (version: V) => ReactNode };
  savedLabel: string;
  /** Absent: the reader may not go back to a version. */
  restore?: Restore<V> | undefined;
}

interface Restore<V> {
  /** On the button of a version. */
  label: string;
  /** The same for screen readers, before "version 3". */
  verb: string;
  isOffered: (version: V) => boolean;
  mutation: {
    isPending: boolean;
    variables: { version: number } | undefined;
    mutate: (input: { id: string; version: number }) => void;
  };
}

/** The versions of a program that are kept; earlier ones can be used again. */
export function VersionsSection<V extends StoredVersion>(props: VersionsSectionProps<V>) {
  const { of, query, current, currentText, detail, savedLabel, restore } = props;
  return (
    <QuerySection title="Versions" description="The last 50 are kept." query={query}>
      {({ data }) => (
        <DataTable
          caption={`Versions of ${of.name}`}
          rows={data}
          keyOf={({ version }) => version}
          columns={[
            {
              label: "Version",
              cell: ({ version }) => (
                <>
                  {version}
                  {version === current && <span className="font-normal text-muted-foreground"> ({currentText})</span>}
                </>
              ),
            },
            { label: detail.label, cell: detail.of },
            { label: "Bytes", numeric: true, cell: ({ code_bytes }) => code_bytes },
            timeColumn(savedLabel, ({ created_at }: V) => created_at),
          ]}
          menu={
            restore &&
            ((one) => restore.isOffered(one) && <RestoreButton id={of.id} version={one.version} {...restore} />)
          }
        />
      )}
    </QuerySection>
  );
}

type RestoreButtonProps = Omit<Restore<never>, "isOffered"> & { id: string; version: number };

const RestoreButton = ({ id, version, label, verb, mutation }: RestoreButtonProps) => (
  <Button
    variant="outline"
    size="sm"
    aria-label={`${verb} version ${version}`}
    pending={mutation.isPending && mutation.variables?.version === version}
    onClick={() => mutation.mutate({ id, version })}
  >
    {label}
  </Button>
);
