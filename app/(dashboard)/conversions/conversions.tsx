"use client";

import { Building2 } from "lucide-react";
import Link from "next/link";
import { SelectField } from "../../components/form/fields";
import { Loaded } from "../../components/loaded";
import { PageHeader } from "../../components/page-header";
import { Button } from "../../components/ui/button";
import { Card } from "../../components/ui/card";
import { Empty } from "../../components/ui/empty";
import { useAddress } from "../../components/use-address";
import { useAdvertisers } from "../campaigns/use-advertisers";
import type { Advertiser } from "./conversion";
import { Orders } from "./orders";
import { SetUp } from "./set-up";
import { TestOrder } from "./test-order";
import { Windows } from "./windows";

export function Conversions({ publicUrl }: { publicUrl: string }) {
  const { query } = useAdvertisers();
  return (
    <>
      <PageHeader title="Conversions" description="Tell svc about orders, and see which campaign each one came from." />
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? <NoAdvertiser /> : <OfAdvertiser advertisers={data} publicUrl={publicUrl} />
        }
      </Loaded>
    </>
  );
}

const NoAdvertiser = () => (
  <Empty
    icon={Building2}
    title="Create an advertiser first"
    action={
      <Button asChild>
        <Link href="/advertisers">Go to advertisers</Link>
      </Button>
    }
  >
    Orders belong to an advertiser: its site gets the pixel, its campaigns get the credit.
  </Empty>
);

function OfAdvertiser({ advertisers, publicUrl }: { advertisers: Advertiser[]; publicUrl: string }) {
  const { params, change } = useAddress();
  const chosen = advertisers.find(({ id }) => id === params.get("advertiser")) ?? advertisers[0];
  if (!chosen) return null;
  return (
    <div className="space-y-6">
      <Card className="p-4 sm:px-6">
        <SelectField
          name="advertiser"
          label="Advertiser"
          value={chosen.id}
          onChange={(event) => change({ advertiser: event.target.value })}
          className="sm:max-w-sm"
        >
          {advertisers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </Card>
      <SetUp advertiser={chosen} publicUrl={publicUrl} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TestOrder key={chosen.id} advertiser={chosen} />
        <Windows advertiser={chosen} />
      </div>
      <Orders />
    </div>
  );
}
