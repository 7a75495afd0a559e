import { TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { numberIn } from "../../../../components/form/read-fields";
import { Button } from "../../../../components/ui/button";
import { formatDateTime } from "../../../../format/dates";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import type { Bucket, StoredObject } from "../bucket";

const DAYS_MAX = 365;

/** When an archived object can be read, and a form that restores it. */
export function RestoreObject({ bucket: { id }, object: { key } }: { bucket: Bucket; object: StoredObject }) {
  const canRestore = useHasScope("storage:write");
  const query = useQueryOf("getObject", { bucket: id, key });
  const restore = useMutationOf("restoreObject", { meta: { inline: true, done: "Restore started." } });
  const times = query.data?.restore;
  return (
    <div className="space-y-3 text-sm">
      <p>
        {times
          ? `It can be read from ${formatDateTime(times.readable_from)} until ${formatDateTime(times.readable_until)}.`
          : "It is archived, and must be restored before it can be read."}
      </p>
      {canRestore && (
        <Form
          error={restore.error}
          saving={restore.status}
          onSubmit={(fields) => restore.mutate({ bucket: id, key, days: numberIn(fields, "days") })}
        >
          <div className="flex flex-wrap items-end gap-3">
            <TextField
              name="days"
              label="Readable for days"
              type="number"
              min={1}
              max={DAYS_MAX}
              defaultValue={7}
              className="w-40"
            />
            <Button type="submit" variant="outline" pending={restore.isPending}>
              Restore
            </Button>
          </div>
        </Form>
      )}
    </div>
  );
}
