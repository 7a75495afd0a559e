import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { LimitsSection } from "../usual-sections";
import { COMMANDS, FOLLOW, START } from "./examples";

export const metadata: Metadata = { title: "Shield scans" };

export default function ShieldPage() {
  return (
    <DocsPage
      title="Shield scans"
      lead="Finds keys, passwords, personal data and risky settings in the buckets of object storage."
    >
      <Start />
      <DocsSection id="rules" title="What is found">
        <Definitions label="Rules" rows={RULES} />
        <p>
          In a bucket with <Code>public_read</Code> the severity of secrets and personal data is one step higher. Access
          lists of single objects are not looked at.
        </p>
      </DocsSection>
      <Precision />
      <Reading />
      <Findings />
      <Running />
      <LimitsSection of="scans" rows={LIMITS} />
    </DocsPage>
  );
}

const Start = () => (
  <DocsSection id="start" title="Quick start">
    <p>
      Start a scan on the dashboard&apos;s <DocsLink href="/cloud/shield">Shield</DocsLink> page, or create a platform
      key on <DocsLink href="/account/api-keys">API keys</DocsLink> with the scopes <Code>shield:read</Code> and{" "}
      <Code>shield:write</Code>:
    </p>
    <KeyField kind="platform" />
    <DocsCode label="Shell" code={START} language="bash" />
    <p>
      The response is 202 with the scan, which is <Code>queued</Code> until a worker takes it. Get it to see its
      progress, with <Code>wait_seconds</Code> to wait for its end, and list the findings:
    </p>
    <DocsCode label="Shell" code={FOLLOW} language="bash" />
    <p>
      The command line has the same, and agents have <Code>svc_shield_scan</Code> and <Code>svc_shield_scans</Code>:
    </p>
    <DocsCode label="Shell" code={COMMANDS} language="bash" />
  </DocsSection>
);

const RULES = [
  [
    "Secrets",
    "Keys and tokens of about 50 providers by their published formats (AWS, Google, Azure, GitHub, GitLab, Slack, Stripe, OpenAI, Anthropic, npm, PyPI, SendGrid, Twilio and others), private keys, JSON Web Tokens, URLs with a password, Basic authorization, and random values or passwords in settings whose name says so",
  ],
  [
    "Personal data",
    "Payment cards (issuer range and Luhn digit), IBANs (modulo 97), US Social Security numbers, Japanese My Numbers (check digit), phone numbers (international, North American, Japanese), email addresses",
  ],
  ["Malware", "The EICAR test file of virus scanners; svc has no virus scanner"],
  ["Exposure", "A public bucket, and CORS rules with which pages of any origin may write"],
  [
    "Configuration",
    "No lifecycle rule that deletes objects or older versions, and that svc itself does not encrypt objects; whether the disk or the external store does is not visible to it",
  ],
] as const;

const Precision = () => (
  <DocsSection id="precision" title="Precision">
    <p>
      Numbers without a check digit of their own must have a usual form or a word such as <Code>ssn</Code> before them
      or in the first line of the object, which is the header of a table. Placeholders, variables such as{" "}
      <Code>$&#123;API_KEY&#125;</Code> and reserved domains such as example.com are ignored. A GitHub or npm token with
      a wrong checksum, a key that says that it is an example, or a card number that is published for tests is a finding
      with <Code>confidence: low</Code> and the severity <Code>low</Code>. Network addresses are not looked for.
    </p>
  </DocsSection>
);

const Reading = () => (
  <DocsSection id="reading" title="How objects are read">
    <p>
      A scan reads the current version of each object; older versions are not scanned. gzip is decompressed and UTF-16
      with a byte order mark is decoded; offsets then count decoded bytes, and <Code>encoding</Code> of the finding says
      so. An object with a NUL byte in its first 8 KiB is binary: it is only compared with the malware test file, which
      is why archives, images and office documents have no findings. An object that did not change since the last scan
      is not read again, unless the rules have changed.
    </p>
  </DocsSection>
);

const Findings = () => (
  <DocsSection id="findings" title="Findings">
    <p>
      A finding is one value in one object. It has the key, the byte offset and a masked form: the first 4 and last 2
      characters of values with 16 or more characters, less of shorter ones, and the length. The value itself is stored
      nowhere; a keyed hash recognizes it. If a later scan finds the value again, the finding stays the same, with its{" "}
      <Code>first_seen_at</Code>; if not, it is <Code>resolved</Code>, and deleted 30 days later.
    </p>
    <p>
      The events <Code>shield_scan.created</Code>, <Code>shield_scan.completed</Code>, <Code>shield_scan.failed</Code>{" "}
      and <Code>shield_scan.canceled</Code> have the scan with its findings by severity.
    </p>
  </DocsSection>
);

const Running = () => (
  <DocsSection id="running" title="Running and canceling">
    <p>
      Scans run in workers, one at a time in each process, in a thread of their own. A long scan gives way to others
      once a minute. What was found is stored after each batch of objects: when a process is killed, another one
      continues from there within half a minute, and nothing is found twice. A scan that ends its process five times at
      the same objects fails. Canceling keeps what was found.
    </p>
  </DocsSection>
);

const LIMITS = [
  ["Scans", "One per bucket at a time, 20 per tenant that wait or run; your operator can raise it. Kept for 90 days"],
  ["Findings", "10,000 open ones per bucket; 20 different values per object and rule. Further matches are counted"],
  ["Compressed objects", "4 GiB after decompression, at most 300 times their size; the rest is not read"],
] as const;
