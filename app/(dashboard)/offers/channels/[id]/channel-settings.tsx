"use client";

import { RadioField } from "../../../../components/form/radio-field";
import { Section } from "../../../../components/ui/card";
import { Link } from "../../../../components/ui/link";
import { updateChannelInput } from "../../../../generated/inputs/updateChannel";
import { SchemaForm } from "../../../components/schema-form";
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

export const ChannelSettings = ({ channel }: { channel: Channel }) => (
  <Section id="settings" title="Settings" description="Enter one item per line in lists.">
    <SchemaForm
      input={updateChannelInput}
      fields={fieldsOf(channel)}
      values={channel}
      fixed={{ id: channel.id }}
      submit="Save changes"
      done="Channel saved."
    />
  </Section>
);

const fieldsOf = (channel: Channel) => ({
  name: {},
  origins: {
    placeholder: "https://www.example.com",
    hint: "Browser keys work only on these: scheme, host and port, without a path.",
  },
  categories: {
    placeholder: "Electronics > Audio",
    hint: "What the channel is about. Campaigns that name categories serve only where one matches; empty means all.",
  },
  blocked_categories: { placeholder: "Gambling", isHalf: true },
  blocked_advertisers: { placeholder: "competitor.example", hint: "Their domain or ID.", isHalf: true },
  network: {
    label: "Other advertisers' campaigns",
    choices: {
      all: "all that the operator has approved",
      approved: "only the advertisers listed here",
      own: "none: own campaigns only",
    },
    hint: "“None” also excludes the demo's free offers.",
    isHalf: true,
  },
  approved_advertisers: {
    label: "Listed advertisers",
    placeholder: "partner.example",
    hint: "Their domain, name or ID. Used when only listed advertisers are allowed.",
    isHalf: true,
  },
  strictness: { render: () => <Strictness channel={channel} /> },
});

const Strictness = ({ channel }: { channel: Channel }) => (
  <div className="space-y-5">
    <RadioField
      name="strictness"
      label="Strictness"
      hint="How sure it must be that an offer fits a request before the offer is shown."
      choices={STRICTNESSES}
      defaultValue={channel.strictness}
    />
    <p className="text-muted-foreground text-sm">
      <Link href={`/offers/explain?channel_id=${channel.id}`} className="underline underline-offset-2">
        Explain
      </Link>{" "}
      shows how likely an offer is to fit a request, and what each strictness requires.
    </p>
  </div>
);
