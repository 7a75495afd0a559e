"use client";

import type { ReactNode } from "react";
import { Button } from "../../components/ui/button";
import { DataTable, timeColumn } from "./data-table";

/** A stored version of a program. */
export interface ShownVersion {
  version: number;
  code_bytes: number;
  created_at: string;
}

interface VersionTableProps<V extends ShownVersion> {
  caption: string;
  versions: readonly V[];
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
  label: string;
  /** The name of the button of a version, for screen readers. */
  name: (version: number) => string;
  isOffered: (version: V) => boolean;
  /** The version that is being restored. */
  pending: number | undefined;
  onRestore: (version: number) => void;
}

/** Versions of a program; earlier ones can be used again. */
export function VersionTable<V extends ShownVersion>(props: VersionTableProps<V>) {
  const { caption, versions, current, currentText, detail, savedLabel, restore } = props;
  return (
    <DataTable
      caption={caption}
      rows={versions}
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
      menu={restore && ((one) => restore.isOffered(one) && <RestoreButton version={one.version} restore={restore} />)}
    />
  );
}

function RestoreButton<V>({ version, restore }: { version: number; restore: Restore<V> }) {
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={restore.name(version)}
      pending={restore.pending === version}
      onClick={() => restore.onRestore(version)}
    >
      {restore.label}
    </Button>
  );
}
