"use client";

import { useMutation } from "@tanstack/react-query";
import { MoneyField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { microsOrNullIn, textIn, textOrNullIn } from "../../../components/form/read-fields";
import { Dialog } from "../../../components/ui/dialog";
import { amountOf } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { useCurrency } from "../components/use-currency";
import type { Advertiser } from "./advertiser";
import { AdvertiserReview } from "./advertiser-review";

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
    {advertiser && advertiser !== "new" && !advertiser.review_automatic && <AdvertiserReview advertiser={advertiser} />}
  </Dialog>
);

function AdvertiserForm({ advertiser, onDone }: { advertiser: Advertiser | undefined; onDone: () => void }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const currency = useCurrency();
  const pixelMax = advertiser?.pixel_value_max_micros;
  const options = { onSuccess: onDone, meta: { inline: true, done: "Advertiser saved." } };
  const create = useMutation(trpc.createAdvertiser.mutationOptions(options));
  const update = useMutation(trpc.updateAdvertiser.mutationOptions(options));
  const submit = (fields: FormData) => {
    const values = {
      name: textIn(fields, "name"),
      domain: textOrNullIn(fields, "domain"),
      icon_url: textOrNullIn(fields, "icon_url"),
      pixel_value_max_micros: microsOrNullIn(fields, "pixel_value_max_micros"),
    };
    return advertiser ? update.mutate({ id: advertiser.id, ...values }) : create.mutate({ mode, ...values });
  };
  return (
    <Form error={create.error ?? update.error} saving={advertiser ? update.status : create.status} onSubmit={submit}>
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
        label="Icon URL"
        optional
        type="url"
        defaultValue={advertiser?.icon_url ?? ""}
        placeholder="https://shop.example/icon.png"
        hint="A square picture, https only."
        autoComplete="off"
      />
      <MoneyField
        name="pixel_value_max_micros"
        label="Maximum order value by pixel"
        optional
        currency={currency}
        defaultValue={pixelMax == null ? "" : amountOf(pixelMax)}
        placeholder="1000"
        hint="An order above it counts with value 0 until your server reports it."
      />
      <FormButtons
        label={advertiser ? "Save changes" : "Create advertiser"}
        pending={create.isPending || update.isPending}
        onCancel={onDone}
      />
    </Form>
  );
}
