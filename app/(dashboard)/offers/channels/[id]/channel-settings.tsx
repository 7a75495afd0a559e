"use client";

import { LinesField, SelectField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { RadioField } from "../../../../components/form/radio-field";
import { choiceIn, linesIn, textIn } from "../../../../components/form/read-fields";
import { Section } from "../../../../components/ui/card";
import { Link } from "../../../../components/ui/link";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { Channel } from "./channel";

const STRICTNESSES = [
  {
    value: "relaxed",
    label: "Relaxed",
    hint: "Fills the most requests, and is the most likely to show an offer that does not fit.",
  },
  {
    value: "balanced",
    label: "Balanced",
    hint: "Leaves some requests empty that Relaxed would fill, and shows fewer offers that do not fit.",
  },
  {
    value: "strict",
    label: "Strict",
    hint: "Leaves the most requests empty, and is the least likely to show an offer that does not fit. Only shows items of the kind that was asked for.",
  },
];

export function ChannelSettings({ channel }: { channel: Channel }) {
  const update = useMutationOf("updateChannel", { meta: { inline: true, done: "Channel saved." } });
  const submit = (fields: FormData) =>
    update.mutate({
      id: channel.id,
      name: textIn(fields, "name"),
      origins: linesIn(fields, "origins"),
      categories: linesIn(fields, "categories"),
      blocked_categories: linesIn(fields, "blocked_categories"),
      blocked_advertisers: linesIn(fields, "blocked_advertisers"),
      network: choiceIn(fields, "network", ["all", "approved", "own"]),
      approved_advertisers: linesIn(fields, "approved_advertisers"),
      strictness: choiceIn(fields, "strictness", ["relaxed", "balanced", "strict"]),
    });
  return (
    <Section id="settings" title="Settings" description="Enter one item per line in lists.">
      <Form key={update.data?.updated_at} sends={update} saving={update.status} onSubmit={submit} label="Save changes">
        <TextField name="name" label="Name" defaultValue={channel.name} maxLength={200} />
        <LinesField
          name="origins"
          label="Origins"
          lines={channel.origins}
          placeholder="https://www.example.com"
          hint="Browser keys work only on these: scheme, host and port, without a path."
        />
        <MatchingFields channel={channel} />
      </Form>
    </Section>
  );
}

/** What the channel is about, and which offers may be shown on it. */
const MatchingFields = ({ channel }: { channel: Channel }) => (
  <div className="grid gap-5 md:grid-cols-2">
    <LinesField
      name="categories"
      label="Categories"
      lines={channel.categories}
      placeholder="Electronics > Audio"
      hint="What the channel is about. Campaigns that name categories serve only where one matches; empty means all."
      className="md:col-span-2"
    />
    <LinesField
      name="blocked_categories"
      label="Blocked categories"
      lines={channel.blocked_categories}
      placeholder="Gambling"
    />
    <LinesField
      name="blocked_advertisers"
      label="Blocked advertisers"
      lines={channel.blocked_advertisers}
      placeholder="competitor.example"
      hint="Their domain or ID."
    />
    <SelectField
      name="network"
      label="Other advertisers' campaigns"
      defaultValue={channel.network}
      hint="“None” also excludes the demo's free offers."
    >
      <option value="all">all that the operator has approved</option>
      <option value="approved">only the advertisers listed here</option>
      <option value="own">none: own campaigns only</option>
    </SelectField>
    <LinesField
      name="approved_advertisers"
      label="Listed advertisers"
      lines={channel.approved_advertisers}
      placeholder="partner.example"
      hint="Their domain, name or ID. Used when only listed advertisers are allowed."
    />
    <RadioField
      name="strictness"
      label="Strictness"
      hint="How sure it must be that an offer fits a request before the offer is shown."
      choices={STRICTNESSES}
      defaultValue={channel.strictness}
      className="md:col-span-2"
    />
    <p className="text-muted-foreground text-sm md:col-span-2">
      <Link href={`/offers/explain?channel_id=${channel.id}`} className="underline underline-offset-2">
        Explain
      </Link>{" "}
      shows how likely an offer is to fit a request, and what each strictness requires.
    </p>
  </div>
);
