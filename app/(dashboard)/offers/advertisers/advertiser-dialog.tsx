"use client";

import { Dialog } from "../../../components/ui/dialog";
import { createAdvertiserInput } from "../../../generated/inputs/createAdvertiser";
import { updateAdvertiserInput } from "../../../generated/inputs/updateAdvertiser";
import { SchemaForm } from "../../components/schema-form";
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
  const shared = { fields: FIELDS, done: "Advertiser saved.", onDone, onCancel: onDone };
  return advertiser ? (
    <SchemaForm
      input={updateAdvertiserInput}
      values={advertiser}
      fixed={{ id: advertiser.id }}
      submit="Save changes"
      {...shared}
    />
  ) : (
    <SchemaForm input={createAdvertiserInput} submit="Create advertiser" isWatched {...shared} />
  );
}

const FIELDS = {
  name: {},
  domain: { placeholder: "shop.example", hint: "Publishers block advertisers by domain." },
  icon_url: {
    placeholder: "https://shop.example/icon.png",
    hint: "A square picture, https only.",
  },
  pixel_value_max_micros: {
    label: "Maximum order value by pixel",
    placeholder: "1000",
    hint: "An order above it counts with value 0 until your server reports it.",
  },
};
