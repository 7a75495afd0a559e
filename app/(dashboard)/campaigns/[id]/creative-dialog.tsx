"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { AreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import type { Campaign } from "../campaign";
import type { Creative, PreviewedCreative } from "./creative";
import { OfferPreview } from "./offer-preview";
import { draftOf, readCreative } from "./read-creative";

interface CreativeDialogProps {
  campaign: Campaign;
  advertiser: string;
  /** Which one to edit; undefined keeps the dialog closed. */
  creative: Creative | "new" | undefined;
  onClose: () => void;
}

export const CreativeDialog = ({ campaign, advertiser, creative, onClose }: CreativeDialogProps) => (
  <Dialog
    open={creative !== undefined}
    onOpenChange={onClose}
    title={creative === "new" ? "Add creative" : "Edit creative"}
    className="max-w-3xl"
  >
    {creative && (
      <CreativeForm
        campaign={campaign}
        advertiser={advertiser}
        creative={creative === "new" ? undefined : creative}
        onDone={onClose}
      />
    )}
  </Dialog>
);

const BLANK: PreviewedCreative = { title: "", content: "", cta: "", brand: null, price: null, rating: null };

interface CreativeFormProps {
  campaign: Campaign;
  advertiser: string;
  creative: Creative | undefined;
  onDone: () => void;
}

function CreativeForm({ campaign, advertiser, creative, onDone }: CreativeFormProps) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState<PreviewedCreative>(creative ?? BLANK);
  const options = { onSuccess: onDone, meta: { inline: true, done: "Creative saved." } };
  const create = useMutation(trpc.campaigns.createCreative.mutationOptions(options));
  const update = useMutation(trpc.campaigns.updateCreative.mutationOptions(options));
  const submit = (fields: FormData) => {
    const values = readCreative(fields);
    return creative
      ? update.mutate({ id: campaign.id, creative_id: creative.id, ...values })
      : create.mutate({ id: campaign.id, ...values });
  };
  const preview = (event: FormEvent<HTMLDivElement>) => {
    const form = event.currentTarget.querySelector("form");
    if (form) setDraft(draftOf(new FormData(form)));
  };
  return (
    <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_16rem]" onInput={preview}>
      <Form error={create.error ?? update.error} onSubmit={submit}>
        <CreativeFields creative={creative} currency={campaign.currency} />
        <div className="flex justify-end gap-2">
          <Button variant="outline" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" pending={create.isPending || update.isPending}>
            {creative ? "Save changes" : "Add creative"}
          </Button>
        </div>
      </Form>
      <div className="space-y-2 sm:sticky sm:top-0 sm:self-start">
        <p className="font-medium text-sm">Preview</p>
        <OfferPreview creative={draft} advertiser={advertiser} />
      </div>
    </div>
  );
}

const CreativeFields = ({ creative, currency }: { creative: Creative | undefined; currency: string }) => (
  <>
    <TextField name="title" label="Title" defaultValue={creative?.title} maxLength={200} autoComplete="off" />
    <AreaField name="content" label="Content" defaultValue={creative?.content} maxLength={2000} rows={3} />
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField name="cta" label="Call to action" defaultValue={creative?.cta} placeholder="Shop now" maxLength={60} />
      <TextField
        name="landing_url"
        label="Landing page"
        type="url"
        defaultValue={creative?.landing_url}
        placeholder="https://shop.example/headphones"
      />
    </div>
    <details className="rounded-lg border p-4" open={Boolean(creative?.brand || creative?.price || creative?.rating)}>
      <summary className="cursor-pointer font-medium text-sm">Brand, product, price, rating</summary>
      <div className="mt-4 grid gap-5 sm:grid-cols-2">
        <TextField name="brand.name" label="Brand" optional defaultValue={creative?.brand?.name} />
        <TextField
          name="brand.icon_url"
          label="Brand icon"
          placeholder="https://…"
          optional
          defaultValue={creative?.brand?.icon_url}
        />
        <TextField name="brand.url" label="Brand page" optional defaultValue={creative?.brand?.url} />
        <TextField name="product.title" label="Product" optional defaultValue={creative?.product?.title} />
        <TextField
          name="product.category"
          label="Product category"
          optional
          defaultValue={creative?.product?.category}
          placeholder="Electronics > Audio"
        />
        <TextField
          name="price.amount"
          label="Price"
          optional
          inputMode="decimal"
          defaultValue={creative?.price?.amount}
        />
        <TextField
          name="price.currency"
          label="Price currency"
          optional
          defaultValue={creative?.price?.currency ?? currency}
          maxLength={3}
        />
        <TextField
          name="price.original_price"
          label="Price before"
          optional
          inputMode="decimal"
          defaultValue={creative?.price?.original_price}
        />
        <TextField
          name="rating.value"
          label="Rating"
          optional
          inputMode="decimal"
          defaultValue={creative?.rating?.value}
        />
        <TextField
          name="rating.scale"
          label="Highest rating"
          optional
          inputMode="decimal"
          defaultValue={creative?.rating?.scale ?? 5}
        />
        <TextField
          name="rating.count"
          label="Ratings"
          optional
          inputMode="numeric"
          defaultValue={creative?.rating?.count}
        />
      </div>
    </details>
  </>
);
