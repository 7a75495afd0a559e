"use client";

import { Building2 } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { PageHeader } from "../../components/page-header";
import { useUrlParams } from "../../components/use-url-params";
import { useAdvertisers } from "../components/use-advertisers";
import { AttributionWindows } from "./attribution-windows";
import type { Advertiser } from "./conversion";
import { Orders } from "./orders";
import { SetUp } from "./set-up";
import { TestOrder } from "./test-order";

export function Conversions({ publicUrl }: { publicUrl: string }) {
  const { query } = useAdvertisers();
  return (
    <>
      <PageHeader title="Conversions" description="Report orders, and see which campaign each one came from." />
      <QueryContent query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <div className="space-y-6">
              <NoAdvertisers />
              {/* A test order of a live advertiser is listed here, where no advertiser may be yet. */}
              <Orders />
            </div>
          ) : (
            <AdvertiserConversions advertisers={data} publicUrl={publicUrl} />
          )
        }
      </QueryContent>
    </>
  );
}

const NoAdvertisers = () => (
  <EmptyState
    icon={Building2}
    title="Create an advertiser first"
    action={
      <Button asChild>
        <Link href="/offers/advertisers">Go to advertisers</Link>
      </Button>
    }
  >
    Orders belong to an advertiser: its site has the pixel, and orders are attributed to its campaigns.
  </EmptyState>
);

function AdvertiserConversions({ advertisers, publicUrl }: { advertisers: Advertiser[]; publicUrl: string }) {
  const { params, change } = useUrlParams();
  const chosen = advertisers.find(({ id }) => id === params.get("advertiser")) ?? advertisers[0];
  if (!chosen) return null;
  return (
    <div className="space-y-6">
      <Card className="p-4 sm:px-6">
        <SelectField
          name="advertiser"
          label="Advertiser"
          value={chosen.id}
          onChoose={(advertiser) => change({ advertiser })}
          className="sm:max-w-sm"
          choices={advertisers}
        />
      </Card>
      <SetUp advertiser={chosen} publicUrl={publicUrl} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TestOrder key={chosen.id} advertiser={chosen} />
        <AttributionWindows advertiser={chosen} />
      </div>
      <Orders />
    </div>
  );
}
