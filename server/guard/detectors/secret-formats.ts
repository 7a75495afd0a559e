import { hasTokenChecksum } from "./checksums";
import type { Severity } from "./rule";

/** A format of secrets that has a literal part, by which it is found. */
export interface SecretFormat {
  id: string;
  title: string;
  /** Default: high. */
  severity?: Severity;
  /** Literal parts; the pattern is tried where one of them is found. */
  literals: readonly string[];
  /** RE2 syntax. It begins at the literal, unless `behind` is set; the first group, if there is one, is the secret. */
  pattern: string;
  /** How many bytes before the literal the match may begin. */
  behind?: number;
  /** How many bytes after the beginning of the literal the match may end; default 300. */
  ahead?: number;
  /** Whether the checksum of the format is right; a wrong one makes a match unlikely to be a secret. */
  hasChecksum?: (secret: string) => boolean;
}

type Named = readonly [id: string, title: string];
type Found = readonly [literals: string | readonly string[], pattern: string];

const format = ([id, title]: Named, [literals, pattern]: Found, options: Partial<SecretFormat> = {}): SecretFormat => ({
  id,
  title,
  literals: [literals].flat(),
  pattern,
  ...options,
});

/** From the public documentation of each provider. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  format(["aws_access_key_id", "AWS access key ID"], [["AKIA", "ASIA", "ABIA", "ACCA"], "A[A-Z]{3}[A-Z2-7]{16}"]),
  format(
    ["aws_secret_access_key", "AWS secret access key"],
    [
      ["aws_secret", "secretaccesskey", "secret_access_key", "aws-secret"],
      `[A-Za-z_-]{9,40}["']?\\s{0,5}(?:=>|:=|=|:|,)\\s{0,5}["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`,
    ],
    { severity: "critical", ahead: 120 },
  ),
  format(["gcp_api_key", "Google API key"], ["AIza", "AIza[\\w-]{35}"]),
  format(["gcp_oauth_secret", "Google OAuth client secret"], ["GOCSPX-", "GOCSPX-[\\w-]{28}"]),
  format(["gcp_access_token", "Google OAuth access token"], ["ya29.", "ya29\\.[\\w-]{30,250}"]),
  format(
    ["azure_storage_key", "Azure storage account key"],
    [["AccountKey=", "SharedAccessKey="], "\\w+=([A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{43}=)"],
    { severity: "critical" },
  ),
  format(["azure_client_secret", "Microsoft Entra client secret"], ["Q~", "[\\w~.]{3}\\dQ~[\\w~.-]{31,34}"], {
    behind: 4,
  }),
  format(["azure_devops_token", "Azure DevOps token"], ["AZDO", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"], { behind: 76 }),
  format(["github_token", "GitHub token"], [["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{36}"], {
    severity: "critical",
    hasChecksum: hasTokenChecksum,
  }),
  format(
    ["github_fine_grained_token", "GitHub fine-grained token"],
    ["github_pat_", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"],
    {
      severity: "critical",
    },
  ),
  format(
    ["gitlab_token", "GitLab token"],
    [
      ["glpat-", "glptt-", "gldt-", "glrt-", "glft-", "glsoat-", "glagent-", "glcbt-", "glimt-", "gloas-"],
      "gl[a-z]{2,5}-[\\w.-]{20,150}",
    ],
  ),
  format(
    ["slack_token", "Slack token"],
    [
      ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-"],
      "(?:xox[abeprs][-.][\\w.-]{20,250}|xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]{30,100})",
    ],
  ),
  format(
    ["slack_webhook", "Slack webhook URL"],
    [
      "hooks.slack.com/",
      "hooks\\.slack\\.com/(?:services/T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}|workflows/[\\w/]{10,40}|triggers/[\\w/]{10,40})/[A-Za-z0-9]{20,48}",
    ],
  ),
  format(
    ["discord_webhook", "Discord webhook URL"],
    [
      ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
      "discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,90}",
    ],
  ),
  format(["stripe_live_key", "Stripe live key"], [["sk_live_", "rk_live_"], "[sr]k_live_[A-Za-z0-9]{20,247}"], {
    severity: "critical",
  }),
  format(["stripe_test_key", "Stripe test key"], [["sk_test_", "rk_test_"], "[sr]k_test_[A-Za-z0-9]{20,247}"], {
    severity: "low",
  }),
  format(["webhook_signing_secret", "Webhook signing secret"], ["whsec_", "whsec_[A-Za-z0-9+/]{32,64}=?"]),
  format(["openai_key", "OpenAI key"], ["sk-", "sk-(?:[a-z]{2,10}-)?[\\w-]{20,80}T3BlbkFJ[\\w-]{20,80}"]),
  format(["anthropic_key", "Anthropic key"], ["sk-ant-", "sk-ant-[a-z]+\\d\\d-[\\w-]{80,120}"]),
  format(["npm_token", "npm token"], ["npm_", "npm_[A-Za-z0-9]{36}"], { hasChecksum: hasTokenChecksum }),
  format(["pypi_token", "PyPI token"], ["pypi-AgE", "pypi-AgE[\\w-]{50,250}"]),
  format(["rubygems_key", "RubyGems key"], ["rubygems_", "rubygems_[0-9a-f]{48}"]),
  format(["sendgrid_key", "SendGrid key"], ["SG.", "SG\\.[\\w-]{22}\\.[\\w-]{43}"]),
  format(["twilio_key", "Twilio API key"], ["SK", "SK[0-9a-f]{32}"]),
  format(["mailgun_key", "Mailgun key"], ["key-", "key-[0-9a-f]{32}"]),
  format(["mailchimp_key", "Mailchimp key"], ["-us", "[0-9a-f]{32}-us\\d{1,2}"], { behind: 32 }),
  format(["shopify_token", "Shopify token"], [["shpat_", "shpss_", "shpca_", "shppa_"], "shp[a-z]{2}_[0-9a-fA-F]{32}"]),
  format(["square_token", "Square token"], [["sq0atp-", "sq0csp-"], "sq0(?:atp-[\\w-]{22}|csp-[\\w-]{43})"]),
  format(["digitalocean_token", "DigitalOcean token"], [["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[0-9a-f]{64}"]),
  format(["heroku_key", "Heroku key"], ["HRKU-", "HRKU-[\\w-]{36,70}"]),
  format(["docker_token", "Docker token"], [["dckr_pat_", "dckr_oat_"], "dckr_[po]at_[\\w-]{24,40}"]),
  format(["hugging_face_token", "Hugging Face token"], ["hf_", "hf_[A-Za-z]{34}"]),
  format(["databricks_token", "Databricks token"], ["dapi", "dapi[0-9a-f]{32}(?:-\\d)?"]),
  format(["linear_key", "Linear key"], ["lin_api_", "lin_api_[A-Za-z0-9]{40}"]),
  format(["notion_token", "Notion token"], [["ntn_", "secret_"], "(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})"]),
  format(["postman_key", "Postman key"], ["PMAK-", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"]),
  format(["new_relic_key", "New Relic key"], [["NRAK-", "NRII-"], "(?:NRAK-[A-Z0-9]{27}|NRII-[\\w-]{32})"]),
  format(
    ["grafana_token", "Grafana token"],
    [["glsa_", "glc_"], "(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{32,250}={0,2})"],
  ),
  format(["vault_token", "HashiCorp Vault token"], [["hvs.", "hvb."], "hv[sb]\\.[\\w-]{24,250}"]),
  format(["terraform_token", "HCP Terraform token"], [".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}"], {
    behind: 14,
  }),
  format(["atlassian_token", "Atlassian token"], [["ATATT3xFfGF0", "ATCTT3xFfGF0"], "AT[AC]TT3xFfGF0[\\w=-]{100,250}"]),
  format(["telegram_token", "Telegram bot token"], [":AA", "\\d{8,10}:AA[\\w-]{33}"], { behind: 10 }),
  format(["doppler_token", "Doppler token"], ["dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,60}"]),
  format(["planetscale_token", "PlanetScale token"], ["pscale_", "pscale_(?:tkn|pw|oauth)_[\\w.-]{32,64}"]),
  format(["supabase_token", "Supabase token"], ["sbp_", "sbp_[0-9a-f]{40}"]),
  format(["airtable_token", "Airtable token"], ["pat", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"]),
  format(["figma_token", "Figma token"], ["figd_", "figd_[\\w-]{40}"]),
  format(
    ["sentry_token", "Sentry token"],
    [["sntrys_", "sntryu_"], "(?:sntryu_[0-9a-f]{64}|sntrys_eyJ[\\w+/=-]{60,280})"],
  ),
  format(["alibaba_access_key_id", "Alibaba Cloud access key ID"], ["LTAI", "LTAI[A-Za-z0-9]{12,20}"]),
  format(["groq_key", "Groq key"], ["gsk_", "gsk_[A-Za-z0-9]{52}"]),
  format(["perplexity_key", "Perplexity key"], ["pplx-", "pplx-[A-Za-z0-9]{48}"]),
  format(["replicate_token", "Replicate token"], ["r8_", "r8_[A-Za-z0-9]{37}"]),
  format(["xai_key", "xAI key"], ["xai-", "xai-[A-Za-z0-9]{80}"]),
  format(
    ["age_secret_key", "age secret key"],
    ["AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"],
  ),
  format(["svc_key", "Key of svc"], [["svc_live_", "svc_test_", "svc_srv_"], "svc_(?:live|test|srv)_[a-z2-7]{48}"]),
];
