import { type ComponentProps, type FormEvent, useState } from "react";
import { TextAreaField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { FormButtons } from "../../../../components/form/form-buttons";
import { Dialog } from "../../../../components/ui/dialog";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { Campaign } from "../campaign";
import type { Creative } from "./creative";
import { CreativePreview } from "./creative-preview";
import type { PreviewedAdvertiser, PreviewedCreative } from "./previewed-offer";
import { readCreative, readDraft } from "./read-creative";

interface CreativeDialogProps {
  campaign: Campaign;
  advertiser: PreviewedAdvertiser;
  /** Which one to edit; undefined keeps the dialog closed. */
  creative: Creative | "new" | undefined;
  onClose: () => void;
}

export const CreativeDialog = ({ campaign, advertiser, creative, onClose }: CreativeDialogProps) => (
  <Dialog
    open={creative !== undefined}
    onOpenChange={onClose}
    title={creative === "new" ? "Add creative" : "Edit creative"}
    className="max-w-5xl"
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

const EMPTY_CREATIVE: PreviewedCreative = { title: "", content: "", cta: "", brand: null, price: null, rating: null };

interface CreativeFormProps {
  campaign: Campaign;
  advertiser: PreviewedAdvertiser;
  creative: Creative | undefined;
  onDone: () => void;
}

function CreativeForm({ campaign, advertiser, creative, onDone }: CreativeFormProps) {
  const [draft, setDraft] = useState<PreviewedCreative>(creative ?? EMPTY_CREATIVE);
  const options = { onSuccess: onDone, meta: { inline: true, done: "Creative saved." } };
  const create = useMutationOf("createCreative", options);
  const update = useMutationOf("updateCreative", options);
  const submit = (fields: FormData) => {
    const values = readCreative(fields);
    return creative
      ? update.mutate({ id: campaign.id, creative_id: creative.id, ...values })
      : create.mutate({ id: campaign.id, ...values });
  };
  const preview = (event: FormEvent<HTMLDivElement>) => {
    const form = event.currentTarget.querySelector("form");
    if (form) setDraft(readDraft(new FormData(form)));
  };
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]" onInput={preview}>
      <Form error={create.error ?? update.error} saving={creative ? update.status : create.status} onSubmit={submit}>
        <CreativeFields creative={creative} currency={campaign.currency} />
        <FormButtons
          label={creative ? "Save changes" : "Add creative"}
          pending={create.isPending || update.isPending}
          onCancel={onDone}
        />
      </Form>
      <div className="lg:sticky lg:top-0 lg:self-start">
        <CreativePreview creative={draft} advertiser={advertiser} />
      </div>
    </div>
  );
}

const CreativeFields = ({ creative, currency }: { creative: Creative | undefined; currency: string }) => (
  <>
    <TextField name="title" label="Title" defaultValue={creative?.title} maxLength={200} />
    <TextAreaField name="content" label="Content" defaultValue={creative?.content} maxLength={2000} rows={3} />
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
      <div className="mt-4 grid gap-5 sm:grid-cols-6">
        <OptionalField name="brand.name" label="Brand" defaultValue={creative?.brand?.name} />
        <OptionalField
          name="brand.url"
          label="Brand page"
          defaultValue={creative?.brand?.url}
          placeholder="https://…"
        />
        <OptionalField
          name="brand.icon_url"
          label="Brand icon"
          placeholder="https://…"
          defaultValue={creative?.brand?.icon_url}
          className="sm:col-span-6"
        />
        <OptionalField name="product.title" label="Product" defaultValue={creative?.product?.title} />
        <OptionalField
          name="product.category"
          label="Product category"
          defaultValue={creative?.product?.category}
          placeholder="Electronics > Audio"
        />
        <OptionalField name="price.amount" label="Price" {...NUMBER} defaultValue={creative?.price?.amount} />
        <OptionalField
          name="price.original_price"
          label="Price before"
          {...NUMBER}
          defaultValue={creative?.price?.original_price}
        />
        <OptionalField
          name="price.currency"
          label="Currency"
          defaultValue={creative?.price?.currency ?? currency}
          maxLength={3}
          className={ONE_THIRD}
        />
        <OptionalField name="rating.value" label="Rating" {...NUMBER} defaultValue={creative?.rating?.value} />
        <OptionalField name="rating.scale" label="Highest" {...NUMBER} defaultValue={creative?.rating?.scale ?? 5} />
        <OptionalField name="rating.count" label="Ratings" {...NUMBER} defaultValue={creative?.rating?.count} />
      </div>
    </details>
  </>
);

const ONE_THIRD = "sm:col-span-2";
const NUMBER = { inputMode: "decimal", className: ONE_THIRD } as const;

/** A field that a creative may go without; two of them in a row unless it says otherwise. */
const OptionalField = (field: ComponentProps<typeof TextField>) => (
  <TextField className="sm:col-span-3" {...field} optional />
);
