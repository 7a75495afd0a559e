"use client";

import { useMutation } from "@tanstack/react-query";
import { AreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { linesIn, textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { useTRPC } from "../../../trpc/client";
import type { Channel } from "./channel";

export function ChannelSettings({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const update = useMutation(trpc.channels.update.mutationOptions({ meta: { inline: true, done: "Channel saved." } }));
  const submit = (fields: FormData) =>
    update.mutate({
      id: channel.id,
      name: textIn(fields, "name"),
      origins: linesIn(fields, "origins"),
      categories: linesIn(fields, "categories"),
      blocked_categories: linesIn(fields, "blocked_categories"),
      blocked_advertisers: linesIn(fields, "blocked_advertisers"),
    });
  return (
    <Section title="Settings" description="Lists take one entry a line.">
      <Form key={channel.updated_at} error={update.error} onSubmit={submit}>
        <TextField name="name" label="Name" defaultValue={channel.name} maxLength={200} autoComplete="off" />
        <AreaField
          name="origins"
          label="Origins"
          optional
          defaultValue={channel.origins.join("\n")}
          placeholder="https://www.example.com"
          hint="Browser keys work only on these: scheme, host and port, without a path."
        />
        <div className="grid gap-5 md:grid-cols-2">
          <AreaField
            name="categories"
            label="Categories"
            optional
            defaultValue={channel.categories.join("\n")}
            placeholder="Electronics > Audio"
            hint="What the channel is about. Campaigns that name categories serve only where one matches; empty means all."
            className="md:col-span-2"
          />
          <AreaField
            name="blocked_categories"
            label="Blocked categories"
            optional
            defaultValue={channel.blocked_categories.join("\n")}
            placeholder="Gambling"
          />
          <AreaField
            name="blocked_advertisers"
            label="Blocked advertisers"
            optional
            defaultValue={channel.blocked_advertisers.join("\n")}
            placeholder="competitor.example"
            hint="Their domain or id."
          />
        </div>
        <Button type="submit" pending={update.isPending}>
          Save changes
        </Button>
      </Form>
    </Section>
  );
}
