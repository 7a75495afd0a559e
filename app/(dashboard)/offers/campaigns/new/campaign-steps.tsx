import { useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Form } from "../../../../components/form/form";
import { choiceIn, textIn } from "../../../../components/form/read-fields";
import { Button } from "../../../../components/ui/button";
import { Link } from "../../../../components/ui/link";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useMode } from "../../../components/shell/mode";
import { ConfirmBid } from "../confirm-bid";
import { campaignField, readCampaign } from "../read-campaign";
import { AudienceStep } from "./audience-step";
import { BudgetStep } from "./budget-step";
import { NamingStep } from "./naming-step";
import { Review } from "./review";
import { StepList } from "./step-list";
import { StepPanel } from "./step-panel";
import { STEPS } from "./steps";
import { useStep } from "./use-step";

interface CampaignStepsProps {
  advertisers: { id: string; name: string }[];
}

/** A new campaign in three steps of one form, so that going back keeps all input. */
export function CampaignSteps({ advertisers }: CampaignStepsProps) {
  const { mode } = useMode();
  const { step, go } = useStep();
  const container = useRef<HTMLDivElement>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  const isLast = step === STEPS.length;
  const reviewed = useReviewed(container, isLast);
  const create = useCreation();
  const submit = (fields: FormData) => {
    if (!isLast) {
      STEPS[step - 1]?.read(fields);
      create.reset();
      return go(step + 1);
    }
    create.mutate({ mode, ...readNewCampaign(fields) });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only changes what Enter does in the fields inside.
    <div ref={container} onKeyDown={isLast ? (event) => moveOnEnter(event, createButton.current) : undefined}>
      <StepList step={step} onGo={go} />
      <Form
        error={create.error}
        saving={create.status}
        fieldOf={(param) => campaignField(param, create.variables?.keywords)}
        onReveal={(part) => go(Number(part.dataset.step))}
        onSubmit={submit}
        className="space-y-6"
      >
        <StepPanel number={1} current={step}>
          <NamingStep advertisers={advertisers} />
        </StepPanel>
        <StepPanel number={2} current={step}>
          <AudienceStep />
        </StepPanel>
        <StepPanel number={3} current={step}>
          <BudgetStep />
          <Review fields={reviewed} advertisers={advertisers} onGo={go} />
        </StepPanel>
        <StepButtons step={step} onGo={go}>
          {isLast ? (
            <Button key="create" ref={createButton} type="submit" pending={create.isPending || create.isSuccess}>
              Create {mode} campaign
            </Button>
          ) : (
            <Button key="continue" type="submit">
              Continue
            </Button>
          )}
        </StepButtons>
      </Form>
      <ConfirmBid
        error={create.error}
        onConfirm={() => create.variables && create.mutate({ ...create.variables, confirm_high_bid: true })}
      />
    </div>
  );
}

/** What the form had when the last step began. */
function useReviewed(container: RefObject<HTMLElement | null>, isLast: boolean): FormData | undefined {
  const [reviewed, setReviewed] = useState<FormData>();
  useEffect(() => {
    const form = container.current?.querySelector("form");
    if (isLast && form) setReviewed(new FormData(form));
  }, [container, isLast]);
  return reviewed;
}

/** Enter in a field of the last step leads to the button that creates, and does not press it. */
function moveOnEnter(event: KeyboardEvent, createButton: HTMLButtonElement | null): void {
  const isSubmit = event.key === "Enter" && event.target instanceof HTMLInputElement && !event.defaultPrevented;
  if (!isSubmit || event.nativeEvent.isComposing) return;
  event.preventDefault();
  createButton?.focus();
}

/** Creates a campaign and opens its page. */
function useCreation() {
  const router = useRouter();
  return useMutationOf("createCampaign", {
    meta: { inline: true, done: "Campaign created. Next: add a creative." },
    onSuccess: ({ id }) => router.push(`/offers/campaigns/${id}`),
  });
}

/** Throws for a field that cannot be read. */
const readNewCampaign = (fields: FormData) => ({
  advertiser_id: textIn(fields, "advertiser_id"),
  model: choiceIn(fields, "model", ["cpc", "cpm"]),
  status: choiceIn(fields, "status", ["active", "draft"]),
  ...readCampaign(fields),
});

interface StepButtonsProps {
  step: number;
  onGo: (step: number) => void;
  /** The button that leads on. */
  children: ReactNode;
}

const StepButtons = ({ step, onGo, children }: StepButtonsProps) => (
  <div className="flex flex-wrap justify-end gap-2">
    <Button variant="ghost" asChild className="mr-auto">
      <Link href="/offers/campaigns">Cancel</Link>
    </Button>
    {step > 1 && (
      <Button variant="outline" onClick={() => onGo(step - 1)}>
        Back
      </Button>
    )}
    {children}
  </div>
);
