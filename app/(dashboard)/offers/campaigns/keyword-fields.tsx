import { TextAreaField } from "../../../components/form/fields";
import type { Campaign } from "./campaign";
import { MATCHES } from "./campaign-choices";
import { GroupError } from "./group-error";
import { KeywordHelp } from "./keyword-help";
import { KEYWORDS_AS_A_WHOLE } from "./read-campaign";

export const KEYWORDS_ABOUT =
  "Search terms that match this campaign, one per line. Without keywords, the texts of the creatives are matched.";

/** A list for each type of match. */
export const KeywordFields = ({ keywords }: { keywords: Campaign["keywords"] }) => (
  <>
    <GroupError name={KEYWORDS_AS_A_WHOLE} />
    <KeywordHelp />
    <div className="grid gap-5 sm:grid-cols-2">
      {MATCHES.map(({ match, label, hint }) => (
        <TextAreaField
          key={match}
          name={`keywords.${match}`}
          label={label}
          optional
          hint={hint}
          defaultValue={keywords
            .filter((keyword) => keyword.match === match)
            .map(({ text }) => text)
            .join("\n")}
        />
      ))}
    </div>
  </>
);
