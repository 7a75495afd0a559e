import { useMemo, useState } from "react";
import { Form } from "../../../../components/form/form";
import { FormButtons } from "../../../../components/form/form-buttons";
import { Button } from "../../../../components/ui/button";
import { Dialog } from "../../../../components/ui/dialog";
import { useMutationOf } from "../../../../trpc/use-operation";
import { errorOfJson, specIn } from "../read-spec";
import type { Resource } from "../resource";
import { JsonField } from "../spec-fields";

/** Replaces the spec, as JSON. */
export function EditSpec({ resource }: { resource: Resource }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
        Edit spec
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Edit the spec of ${resource.name}`}
        description="svc changes the resource until it is as the new spec says."
        className="max-w-2xl"
      >
        <SpecForm resource={resource} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SpecForm({ resource: { rid, spec }, onDone }: { resource: Resource; onDone: () => void }) {
  const update = useMutationOf("updateResource", { meta: { inline: true, done: "Spec saved." }, onSuccess: onDone });
  const error = useMemo(() => errorOfJson(update.error), [update.error]);
  return (
    <Form error={error} onSubmit={(fields) => update.mutate({ rid, spec: specIn(fields, undefined) })}>
      <JsonField value={spec} />
      <FormButtons label="Save spec" pending={update.isPending} onCancel={onDone} />
    </Form>
  );
}
