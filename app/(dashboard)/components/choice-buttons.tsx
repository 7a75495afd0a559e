import { Button } from "../../components/ui/button";
import { useUrlParams } from "./use-url-params";

interface ChoiceButtonsProps<C> {
  /** Names the choice for screen readers. */
  legend: string;
  choices: readonly C[];
  isChosen: (choice: C) => boolean;
  onChoose: (choice: C) => void;
}

/** A few choices beside each other, such as periods, of which one is pressed. */
export const ChoiceButtons = <C extends { label: string }>(props: ChoiceButtonsProps<C>) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="sr-only">{props.legend}</legend>
    {props.choices.map((choice) => {
      const isChosen = props.isChosen(choice);
      return (
        <Button
          key={choice.label}
          size="sm"
          variant={isChosen ? "primary" : "outline"}
          aria-pressed={isChosen}
          onClick={() => props.onChoose(choice)}
        >
          {choice.label}
        </Button>
      );
    })}
  </fieldset>
);

interface PeriodButtonsProps<P> {
  periods: readonly [P, ...P[]];
  chosen: P;
}

/** The period of plots: `?period=` names it, unless it is the first. */
export function PeriodButtons<P extends { label: string; value: string }>({ periods, chosen }: PeriodButtonsProps<P>) {
  const { change } = useUrlParams();
  return (
    <ChoiceButtons
      legend="Period"
      choices={periods}
      isChosen={({ value }) => value === chosen.value}
      onChoose={({ value }) => change({ period: value === periods[0].value ? "" : value })}
    />
  );
}
