"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { textIn } from "../../../components/form/read-fields";
import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { Link } from "../../../components/ui/link";
import { formatBytes } from "../../../format/bytes";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";

const BUCKETS_MAX = 1000;

interface ScanDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ScanDialog({ open, onOpenChange }: ScanDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Scan a bucket in ${mode} mode`}
      description="Objects that did not change since the last scan are not read again."
    >
      <ScanForm onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ScanForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const buckets = useQuery(trpc.listBuckets.queryOptions({ mode, limit: BUCKETS_MAX }));
  const scan = useMutation(
    trpc.createShieldScan.mutationOptions({ meta: { inline: true, done: "Scan requested." }, onSuccess: onClose }),
  );
  const submit = (fields: FormData) =>
    scan.mutate({ bucket: textIn(fields, "bucket"), prefix: textIn(fields, "prefix") });
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
          <Form error={scan.error} onSubmit={submit}>
            <SelectField name="bucket" label="Bucket">
              {data.map(({ id, name, usage }) => (
                <option key={id} value={id}>
                  {name} ({formatBytes(usage.bytes)})
                </option>
              ))}
            </SelectField>
            <TextField
              name="prefix"
              label="Prefix"
              optional
              placeholder="exports/"
              maxLength={1024}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              hint="Only objects whose keys begin with it. Empty: all objects."
            />
            <FormButtons label="Start scan" pending={scan.isPending} onCancel={onClose} />
          </Form>
        )
      }
    </QueryContent>
  );
}
