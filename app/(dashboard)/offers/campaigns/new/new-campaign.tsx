"use client";

import { useMutation } from "@tanstack/react-query";
import { Building2 } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { SelectField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { choiceIn, textIn } from "../../../../components/form/read-fields";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { EmptyState } from "../../../../components/ui/empty-state";
import { useTRPC } from "../../../../trpc/client";
import { PageHeader } from "../../../components/page-header";
import { useMode } from "../../../components/shell/mode";
import { useAdvertisers } from "../../components/use-advertisers";
import { CampaignFields } from "../campaign-fields";
import { ConfirmBid } from "../confirm-bid";
import { campaignField, readCampaign } from "../read-campaign";

export function NewCampaign() {
  const { query } = useAdvertisers();
  return (
    <>
      <PageHeader back={{ href: "/offers/campaigns", label: "Campaigns" }} title="New campaign" />
      <QueryContent query={query}>
        {({ data }) =>
          data.length > 0 ? (
            <NewCampaignForm advertisers={data} />
          ) : (
            <EmptyState
              icon={Building2}
              title="Create an advertiser first"
              action={
                <Button asChild>
                  <Link href="/offers/advertisers">Go to advertisers</Link>
                </Button>
              }
            >
              A campaign belongs to an advertiser, whose name and icon appear on its offers.
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}

function NewCampaignForm({ advertisers }: { advertisers: { id: string; name: string }[] }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const params = useSearchParams();
  const create = useMutation(
    trpc.campaigns.create.mutationOptions({
      meta: { inline: true, done: "Campaign created. Next: add a creative." },
      onSuccess: ({ id }) => router.push(`/offers/campaigns/${id}`),
    }),
  );
  const submit = (fields: FormData) =>
    create.mutate({
      mode,
      advertiser_id: textIn(fields, "advertiser_id"),
      model: choiceIn(fields, "model", ["cpc", "cpm"]),
      status: choiceIn(fields, "status", ["active", "draft"]),
      ...readCampaign(fields),
    });
  return (
    <Form
      error={create.error}
      saving={create.status}
      fieldOf={(param) => campaignField(param, create.variables?.keywords)}
      onSubmit={submit}
      className="space-y-6"
    >
      <Section title="Who and how" description={`In ${mode} mode; advertiser, mode and price model stay as chosen.`}>
        <div className="grid gap-5 sm:grid-cols-3">
          <SelectField name="advertiser_id" label="Advertiser" defaultValue={params.get("advertiser") ?? ""}>
            {advertisers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField name="model" label="Price model">
            <option value="cpc">cpc: pay for each click</option>
            <option value="cpm">cpm: pay for 1,000 views</option>
          </SelectField>
          <SelectField name="status" label="Begin as">
            <option value="active">active</option>
            <option value="draft">draft</option>
          </SelectField>
        </div>
      </Section>
      <CampaignFields campaign={undefined} />
      <ConfirmBid
        error={create.error}
        onConfirm={() => create.variables && create.mutate({ ...create.variables, confirm_high_bid: true })}
      />
      <div className="flex justify-end gap-2">
        <Button variant="outline" asChild>
          <Link href="/offers/campaigns">Cancel</Link>
        </Button>
        <Button type="submit" pending={create.isPending || create.isSuccess}>
          Create {mode} campaign
        </Button>
      </div>
    </Form>
  );
}
