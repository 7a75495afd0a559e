"use client";

import { useMutation } from "@tanstack/react-query";
import { TextField } from "../../components/form/fields";
import { Form } from "../../components/form/form";
import { textIn, textOrNullIn } from "../../components/form/read-fields";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { useTRPC } from "../../trpc/client";
import type { Advertiser } from "./advertiser";

interface AdvertiserDialogProps {
  /** Which one to edit; undefined keeps the dialog closed. */
  advertiser: Advertiser | "new" | undefined;
  onClose: () => void;
}

export const AdvertiserDialog = ({ advertiser, onClose }: AdvertiserDialogProps) => (
  <Dialog
    open={advertiser !== undefined}
    onOpenChange={onClose}
    title={advertiser === "new" ? "Create advertiser" : "Edit advertiser"}
  >
    {advertiser && <AdvertiserForm advertiser={advertiser === "new" ? undefined : advertiser} onDone={onClose} />}
  </Dialog>
);

function AdvertiserForm({ advertiser, onDone }: { advertiser: Advertiser | undefined; onDone: () => void }) {
  const trpc = useTRPC();
  const options = { onSuccess: onDone, meta: { inline: true, done: "Advertiser saved." } };
  const create = useMutation(trpc.advertisers.create.mutationOptions(options));
  const update = useMutation(trpc.advertisers.update.mutationOptions(options));
  const submit = (fields: FormData) => {
    const values = {
      name: textIn(fields, "name"),
      domain: textOrNullIn(fields, "domain"),
      icon_url: textOrNullIn(fields, "icon_url"),
    };
    return advertiser ? update.mutate({ id: advertiser.id, ...values }) : create.mutate(values);
  };
  return (
    <Form error={create.error ?? update.error} onSubmit={submit}>
      <TextField name="name" label="Name" defaultValue={advertiser?.name} maxLength={200} autoComplete="off" />
      <TextField
        name="domain"
        label="Domain"
        optional
        defaultValue={advertiser?.domain ?? ""}
        placeholder="shop.example"
        hint="Publishers block advertisers by domain."
        autoComplete="off"
      />
      <TextField
        name="icon_url"
        label="Icon address"
        optional
        type="url"
        defaultValue={advertiser?.icon_url ?? ""}
        placeholder="https://shop.example/icon.png"
        hint="A square picture, https only."
        autoComplete="off"
      />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending || update.isPending}>
          {advertiser ? "Save changes" : "Create advertiser"}
        </Button>
      </div>
    </Form>
  );
}
