"use client";

import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { Link } from "../../../components/ui/link";
import { formatBytes } from "../../../format/bytes";
import { createShieldScanInput } from "../../../generated/inputs/createShieldScan";
import { useQueryOf } from "../../../trpc/use-operation";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { useMode } from "../../components/shell/mode";

const BUCKETS_MAX = 1000;

export function ScanDialog(state: DialogState) {
  const { mode } = useMode();
  return (
    <Dialog
      title={`Scan a bucket in ${mode} mode`}
      description="Objects that did not change since the last scan are not read again."
      {...state}
    >
      <ScanForm onClose={() => state.onOpenChange(false)} />
    </Dialog>
  );
}

function ScanForm({ onClose }: { onClose: () => void }) {
  const { mode } = useMode();
  const buckets = useQueryOf("listBuckets", { mode, limit: BUCKETS_MAX });
  return (
    <QueryContent query={buckets}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-muted-foreground text-sm">
            There are no buckets in {mode} mode.{" "}
            <Link href="/cloud/storage" className="underline underline-offset-2">
              Create one in Storage
            </Link>
          </p>
        ) : (
          <SchemaForm
            input={createShieldScanInput}
            fields={{
              bucket: {
                as: "choice",
                hint: null,
                choices: Object.fromEntries(
                  data.map(({ id, name, usage }) => [id, `${name} (${formatBytes(usage.bytes)})`]),
                ),
              },
              prefix: {
                as: "identifier",
                placeholder: "exports/",
                hint: "Only objects whose keys begin with it. Empty: all objects.",
              },
            }}
            submit="Start scan"
            done="Scan requested."
            onDone={onClose}
            onCancel={onClose}
          />
        )
      }
    </QueryContent>
  );
}
