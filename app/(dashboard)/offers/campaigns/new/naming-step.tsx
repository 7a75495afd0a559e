import { useSearchParams } from "next/navigation";
import { SelectField } from "../../../../components/form/fields";
import { Section } from "../../../../components/ui/card";
import { NameField } from "../name-field";

export const NamingStep = ({ advertisers }: { advertisers: { id: string; name: string }[] }) => {
  const params = useSearchParams();
  return (
    <Section
      title="What is advertised"
      description="The advertiser's name and icon appear on each offer. Creatives with texts and landing pages, or a product feed, are added once the campaign exists."
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="advertiser_id"
          label="Advertiser"
          defaultValue={params.get("advertiser") ?? undefined}
          choices={advertisers}
        />
        <NameField campaign={undefined} />
      </div>
    </Section>
  );
};
