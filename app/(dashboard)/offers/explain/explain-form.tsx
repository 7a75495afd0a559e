import { CheckboxField, SelectField, TextAreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { COUNTRIES } from "../../../format/places";
import type { Outputs } from "../../../trpc/client";
import { DEVICES } from "../components/devices";
import { LIMIT_MAX, OTHER_CHANNELS, type UrlRequest } from "./read-explain";

interface ExplainFormProps {
  channels: Outputs["listChannels"]["data"];
  /** What the fields begin with. */
  initial: UrlRequest;
  error: unknown;
  pending: boolean;
  onSubmit: (fields: FormData) => void;
}

/** An offers request as a publisher's page would send it. */
export const ExplainForm = ({ channels, initial: linked, error, pending, onSubmit }: ExplainFormProps) => (
  <Card className="p-4 sm:p-6">
    <Form error={error} onSubmit={onSubmit}>
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-6">
        <SelectField
          name="channel_id"
          label="Channel"
          defaultValue={linked.channel_id || undefined}
          className="col-span-2"
        >
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={OTHER_CHANNELS}>Other publishers&apos; channels</option>
        </SelectField>
        <TextField
          name="query"
          label="Query"
          type="search"
          defaultValue={linked.query}
          placeholder="noise cancelling headphones"
          maxLength={4000}
          className="col-span-2 sm:col-span-4"
        />
        <TextAreaField
          name="context"
          label="Context"
          optional
          rows={2}
          defaultValue={linked.context}
          className="col-span-2 sm:col-span-6"
          placeholder="What the page or the conversation is about"
          hint="Used for matching only without a query; with a query it influences the ranking."
        />
        <VisitorFields linked={linked} />
      </div>
      <Button type="submit" pending={pending}>
        Explain
      </Button>
    </Form>
  </Card>
);

const SHORT = { optional: true, autoComplete: "off", className: "sm:col-span-2" } as const;

const VisitorFields = ({ linked }: { linked: UrlRequest }) => (
  <>
    <SelectField name="geo" label="Country" optional defaultValue={linked.geo.toUpperCase()} className="sm:col-span-2">
      <option value="">Unknown</option>
      {COUNTRIES.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
    <TextField
      name="locale"
      label="Locale"
      placeholder="en-US"
      defaultValue={linked.locale}
      hint="Default: en."
      maxLength={35}
      {...SHORT}
    />
    <SelectField
      name="device"
      label="Device"
      defaultValue={linked.device || undefined}
      className="sm:col-span-2"
      choices={DEVICES}
    />
    <TextField
      name="placement"
      label="Placement"
      defaultValue={linked.placement}
      hint="Default: sponsored_result."
      maxLength={100}
      {...SHORT}
    />
    <TextField
      name="user_id"
      label="User ID"
      hint="Applies this user's signals and frequency caps."
      maxLength={256}
      {...SHORT}
    />
    <TextField
      name="limit"
      label="Offers at most"
      type="number"
      min={1}
      max={LIMIT_MAX}
      defaultValue={linked.limit || 3}
      className="sm:col-span-2"
    />
    <CheckboxField
      name="gpc"
      defaultChecked={linked.gpc === "true"}
      label="The browser sends Global Privacy Control"
      hint="Features that need the visitor's consent are disabled."
      className="col-span-2 sm:col-span-6"
    />
  </>
);
