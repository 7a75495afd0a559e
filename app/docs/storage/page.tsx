import type { Metadata } from "next";
import { Call } from "../call";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { ClientExamples } from "./client-examples";
import { BROWSER_UPLOAD, CORS, LIFECYCLE, LOCK_BUCKET, LOCK_OBJECT, POLICY } from "./examples";
import { CLASSES, LIMITS } from "./limits";
import { LockExample } from "./lock-example";
import { QuickStart } from "./quick-start";
import { SUPPORTED, UNSUPPORTED } from "./s3-support";

export const metadata: Metadata = { title: "Object storage" };

export default function StoragePage() {
  return (
    <DocsPage
      title="Object storage"
      lead="Files of any size in buckets: over the S3 API with the clients that you have, and over presigned URLs without any."
    >
      <QuickStartSection
        scopes="storage"
        note=". A bucket belongs to the project and the mode of the key; keys of other projects cannot see it."
      >
        <QuickStart />
      </QuickStartSection>
      <Buckets />
      <S3Clients />
      <S3Support />
      <PresignedUrls />
      <Objects />
      <Versions />
      <ObjectLock />
      <StorageClasses />
      <Lifecycle />
      <Cors />
      <PublicRead />
      <AccessLists />
      <Policies />
      <Encryption />
      <Deleting />
      <LimitsSection of="object storage" rows={LIMITS} />
    </DocsPage>
  );
}

const Buckets = () => (
  <DocsSection id="buckets" title="Buckets">
    <p>
      A bucket&apos;s name is unique in this installation, because S3 addresses name a bucket without an account. It
      follows the rules of S3: 3 to 63 lower-case letters, digits, hyphens and dots. If the name is taken, by anyone,
      the response is 409 with the reason <Code>name_taken</Code>. Every path takes the name or the ID of a bucket.
    </p>
    <p>
      Each project has a default bucket per mode, which the first call without a <Code>bucket</Code> creates. Its name
      begins with <Code>default-</Code>.
    </p>
    <p>
      An object is stored as a whole or not at all, and is durable when the response to its upload arrives. Reads and
      lists show it from then on. Its checksums are verified whenever it is read.
    </p>
    <p>
      <Code>usage</Code> of a bucket is exact at any time. <Code>GET …/usage?days=30</Code> has its history, measured
      once an hour.
    </p>
  </DocsSection>
);

const S3Clients = () => (
  <DocsSection id="s3" title="S3 clients">
    <p>
      S3 clients need the endpoint and credentials. The credentials are derived from an API key: they have the
      key&apos;s scopes, project, mode and allowed addresses, and end with it. A rotation of the key ends them too,
      after its grace period. Nothing is stored, so create as many as you like; the secret is shown only here.
    </p>
    <Call title="Create S3 credentials" call="POST /v1/storage/credentials" />
    <ClientExamples />
    <p>
      The command line of svc needs only the platform key: <Code>svc storage cp</Code>, <Code>ls</Code>, <Code>rm</Code>
      , <Code>sync</Code> and <Code>presign</Code>.
    </p>
  </DocsSection>
);

const S3Support = () => (
  <DocsSection id="s3-support" title="What of S3 is supported">
    <p>
      A request is never carried out in part: a header or parameter of S3 that svc does not act on is rejected, by its
      name. <Code>x-amz-expected-bucket-owner</Code> is compared with the owner that access lists show.
    </p>
    <Definitions label="Supported parts of S3" rows={SUPPORTED} />
    <p>
      These respond 501 <Code>NotImplemented</Code>. Reading such a setting of a bucket responds as S3 does where it is
      not set.
    </p>
    <Definitions label="Unsupported parts of S3" rows={UNSUPPORTED} />
  </DocsSection>
);

const PresignedUrls = () => (
  <DocsSection id="presigned" title="Presigned URLs">
    <p>
      A presigned URL stores or reads one object until it expires, for anyone who has it. Use it to let browsers and
      other programs upload and download without passing the bytes through your server, and without a key.
    </p>
    <Definitions
      label="Fields of a presigned URL"
      rows={[
        ["operation", "put_object to store, which requires the scope storage:write; get_object to read."],
        ["expires_in", "Seconds until the URL ends: 1 to 604,800 (7 days), default 3,600."],
        ["content_type", "The Content-Type that the upload must have."],
        ["content_length", "The exact number of bytes of the upload."],
        ["content_length_min, …_max", "Bounds of the number of bytes; another upload is rejected."],
        ["version_id", "The version to read; default: the latest."],
        ["response_content_disposition", "Content-Disposition of the download, such as attachment; filename=a.pdf."],
      ]}
    />
    <p>
      All of them are signed: a changed URL is rejected. The URL also ends when the API key that created it is revoked,
      rotated or expires. One that a person created on the dashboard ends when the person leaves the tenant, loses the
      right or changes the password. A URL for an object that does not exist is valid, and responds 404.
    </p>
    <DocsCode label="upload.js" code={BROWSER_UPLOAD} language="javascript" />
    <p>
      For an upload from a browser, the bucket needs a <a href="#cors">CORS rule</a> for the origin of your page.
    </p>
  </DocsSection>
);

const Objects = () => (
  <DocsSection id="objects" title="Listing and deleting objects">
    <p>
      <Code>GET …/objects</Code> lists objects in the order of the UTF-8 bytes of their keys. With{" "}
      <Code>delimiter=/</Code> it lists one folder: its objects in <Code>data</Code>, and the folders in it in{" "}
      <Code>common_prefixes</Code>. There are no folders in storage: they are what keys have in common before a slash.
    </p>
    <p>
      <Code>GET …/objects/&#123;key&#125;</Code> has the metadata of an object, and <Code>DELETE</Code> deletes it.
      Encode the key for the path, so that <Code>a/b.txt</Code> becomes <Code>a%2Fb.txt</Code>.{" "}
      <Code>POST …/objects/delete</Code> deletes up to 1,000 keys, all or none of them. A key that does not exist is no
      error.
    </p>
  </DocsSection>
);

const Versions = () => (
  <DocsSection id="versions" title="Versions">
    <p>
      With <Code>versioning: &quot;on&quot;</Code>, replacing an object keeps the old content as an older version, and
      deleting it adds a delete marker that hides it. Read or delete a version with its <Code>version_id</Code>.
      Deleting the marker brings the object back. S3 clients list versions with <Code>ListObjectVersions</Code>.
    </p>
    <p>
      Older versions count against the limits. Versioning that was on once becomes <Code>suspended</Code> instead of{" "}
      <Code>off</Code>: the versions stay, and no further ones are kept.
    </p>
  </DocsSection>
);

const ObjectLock = () => (
  <DocsSection id="lock" title="Object lock">
    <p>
      Object lock keeps versions from being deleted (write once, read many). A bucket gets it when it is created, or
      later if its versioning is on, and keeps it: it cannot be removed, and versioning stays on. With the AWS command
      line:
    </p>
    <LockExample />
    <p>
      Over the REST API, <Code>object_lock</Code> is a setting of the bucket, and{" "}
      <Code>PATCH …/objects/&#123;key&#125;/lock</Code> changes the lock of a version:
    </p>
    <DocsCode label="POST /v1/storage/buckets" code={LOCK_BUCKET} language="json" />
    <DocsCode label="PATCH …/lock" code={LOCK_OBJECT} language="json" />
    <Definitions
      label="What keeps a version"
      rows={[
        [
          "Retention, governance",
          "Until its time. It can be extended; a request that bypasses governance can also shorten, change and remove it, and delete the version.",
        ],
        ["Retention, compliance", "Until its time. It can be extended; nobody can shorten, change or remove it."],
        ["Legal hold", "Until it is switched off, even if the retention has ended."],
        [
          "Default retention",
          "Of new versions that name none, from when they are stored: 1 to 36,500 days, or 1 to 100 years of 365 days.",
        ],
      ]}
    />
    <p>
      Nothing deletes or replaces a locked version: a deletion with its <Code>version_id</Code> is 403 with the reason{" "}
      <Code>object_locked</Code> (<Code>AccessDenied</Code> at the S3 endpoint, an error of that key in a batch),
      lifecycle rules leave it, and a deletion of its bucket with <Code>?force=true</Code> is 409 with the reason{" "}
      <Code>locked_objects</Code>. A deletion without a version adds a delete marker as usual, and a put adds a version;
      both leave the locked one. Moves to another storage class keep the content and the lock. Archiving a project
      deletes none of its buckets.
    </p>
    <p>
      To bypass governance, send <Code>x-amz-bypass-governance-retention: true</Code>, or{" "}
      <Code>bypass_governance_retention</Code> to the REST API. Your own keys with <Code>storage:write</Code> may,
      unless the <a href="#policies">policy</a> of the bucket denies <Code>s3:BypassGovernanceRetention</Code>; others
      need a statement that allows it. A copy has the lock that its request names, or the default, not that of its
      source. A put that names a lock needs <Code>Content-MD5</Code> or a checksum, as AWS demands.
    </p>
    <p>
      The operator of this installation has its disks and its clock, and a restore of a backup brings back the locks of
      its time, without the versions that were stored after it.
    </p>
  </DocsSection>
);

const StorageClasses = () => (
  <DocsSection id="classes" title="Storage classes">
    <p>
      New objects get the <Code>tier</Code> of their bucket, <Code>hot</Code> unless you set another one, or the class
      that an S3 client names in <Code>x-amz-storage-class</Code>. Colder classes cost less for each byte of the object;
      usage and invoices have a line with the price of each:
    </p>
    <Definitions label="Storage classes" rows={CLASSES} />
    <p>
      Sizes, ETags, checksums and ranges are always those of the object. To move an object to a warmer class, copy it to
      itself with another <Code>x-amz-storage-class</Code>. A read of an archived object is 409 with the reason{" "}
      <Code>archived</Code>, at the S3 endpoint 403 <Code>InvalidObjectState</Code>, until it is restored: with{" "}
      <Code>POST …/objects/&#123;key&#125;/restore</Code> and a number of <Code>days</Code>, or the{" "}
      <Code>RestoreObject</Code> of S3. Five minutes later it can be read, for that many days.
    </p>
  </DocsSection>
);

const Lifecycle = () => (
  <DocsSection id="lifecycle" title="Lifecycle rules">
    <p>
      Lifecycle rules delete or move by age. Days end at the next midnight (UTC), and rules are checked once an hour.
      Send them with <Code>PATCH /v1/storage/buckets/&#123;bucket&#125;</Code>; the list replaces all rules:
    </p>
    <DocsCode label="PATCH" code={LIFECYCLE} language="json" />
    <p>
      <Code>expire_days</Code> deletes objects; in a bucket with versions they get a delete marker.{" "}
      <Code>expire_noncurrent_days</Code> deletes older versions, counted from when they were replaced.{" "}
      <Code>abort_upload_days</Code> ends multipart uploads that are not completed; without such a rule they end after a
      day. <Code>transitions</Code> move current versions to a colder <a href="#classes">storage class</a>, counted from
      when they were stored, and <Code>noncurrent_transitions</Code> older ones, counted from when they were replaced;
      each has more days than the one before it, and nothing moves back.
    </p>
    <p>
      A rule applies to the keys with its <Code>prefix</Code>, and only to objects with all of its <Code>tags</Code> and
      a size above <Code>larger_than</Code> and below <Code>smaller_than</Code>, where it has them.{" "}
      <Code>expire_date</Code> deletes from a day on, <Code>expire_markers</Code> deletes delete markers that hide no
      older version, and <Code>keep_noncurrent</Code> keeps the newest older versions of each object. Where several
      rules apply, the one that ends first deletes, and the coldest class that is due is taken.
    </p>
  </DocsSection>
);

const Cors = () => (
  <DocsSection id="cors" title="CORS">
    <p>
      Scripts of a page can call the S3 endpoint only if a CORS rule of the bucket allows the origin of the page. The
      first rule that matches origin, method and headers applies. An origin and a header may have one <Code>*</Code>:
    </p>
    <DocsCode label="PATCH" code={CORS} language="json" />
  </DocsSection>
);

const PublicRead = () => (
  <DocsSection id="public" title="Public buckets">
    <p>
      With <Code>public_read: true</Code> anyone can read the objects of the bucket that have no access list of their
      own, at <Code>/v1/s3/&lt;bucket&gt;/&lt;key&gt;</Code> without credentials. Lists of objects and all changes still
      need them. Switching it off applies at once, and removes what the access list of the bucket grants to groups.
    </p>
  </DocsSection>
);

const AccessLists = () => (
  <DocsSection id="access-lists" title="Access lists">
    <p>
      S3 clients can set an access list for a bucket, an object or a version: a canned one such as{" "}
      <Code>public-read</Code>, or grants to other tenants and to groups. A list that is set for a bucket switches{" "}
      <Code>public_read</Code> off, and each object is then private unless its own list says otherwise, as on Amazon S3.
      An object without a list of its own is readable by everyone exactly while <Code>public_read</Code> is on.
    </p>
    <Definitions
      label="Permissions of access lists"
      rows={[
        ["READ", "Of a bucket: list its objects, versions and uploads. Of an object: read it."],
        [
          "WRITE",
          "Of a bucket: store, replace and delete objects, but not delete older versions. Of an object: nothing.",
        ],
        ["READ_ACP, WRITE_ACP", "Read and set the access list. WRITE_ACP needs credentials."],
        ["FULL_CONTROL", "All of them."],
      ]}
    />
    <p>
      Grantees are <Code>AllUsers</Code>, <Code>AuthenticatedUsers</Code> (every key of this installation), and tenants
      by their id (<Code>ten_…</Code>), which is the canonical user id here; a grant to the tenant of the bucket is for
      its keys of the same project and mode. The owner can always read and set a list. A bucket policy that denies is
      stronger than a list, and one that allows adds to it. <Code>BlockPublicAcls</Code> rejects grants to groups;{" "}
      <Code>IgnorePublicAcls</Code> and <Code>RestrictPublicBuckets</Code> take their effect.
    </p>
    <p>
      What another tenant stores in your bucket is its own object with its own list, while the bytes count for you and
      you can always delete it; with the ownership <Code>BucketOwnerEnforced</Code> every object is yours and lists have
      no effect. What is stored without credentials is yours. Lists are for the S3 endpoint: your REST calls, functions
      and pods see all objects of your buckets.
    </p>
  </DocsSection>
);

const Policies = () => (
  <DocsSection id="policies" title="Bucket policies">
    <p>
      A policy lets others in and denies requests, in the language of S3. Send it with <Code>PutBucketPolicy</Code>, or
      as a text in <Code>policy</Code> with <Code>PATCH /v1/storage/buckets/&#123;bucket&#125;</Code>:
    </p>
    <DocsCode label="policy.json" code={POLICY} language="json" />
    <p>
      A statement that denies is stronger than everything that allows, also for your own keys and for calls of the REST
      API on objects. What nothing denies, your own keys may do as far as their scopes allow; everyone else needs a
      statement or an access list that allows it, and a key of another account its scope too. Nobody else can change the
      settings of a bucket, and you can always replace its policy.
    </p>
    <Definitions
      label="Elements of a policy"
      rows={[
        [
          "Principal",
          "*, the id of an account (ten_…), its arn:aws:iam::<account>:root, or …:user/<id of a person or API key>. NotPrincipal leaves out a key or person only if its account is named too.",
        ],
        ["Action, NotAction", "Actions of S3 on buckets and objects, with * as a wildcard."],
        ["Resource", "arn:aws:s3:::<bucket> and arn:aws:s3:::<bucket>/<key>, with * as a wildcard."],
        [
          "Condition",
          "String, Numeric, Date, Bool, IpAddress, Arn and Null operators, also …IfExists and ForAnyValue, ForAllValues.",
        ],
        [
          "Condition keys",
          "aws:SourceIp, aws:SecureTransport, aws:Referer, aws:UserAgent, aws:CurrentTime, aws:PrincipalAccount, s3:prefix, s3:delimiter, s3:max-keys, s3:VersionId, s3:ExistingObjectTag/<key>, s3:RequestObjectTag/<key> and s3:RequestObjectTagKeys of x-amz-tagging, of PutObjectTagging and of forms, s3:object-lock-mode, s3:object-lock-retain-until-date, s3:object-lock-remaining-retention-days, s3:object-lock-legal-hold, and the x-amz-* headers of a request.",
        ],
      ]}
    />
    <p>
      NotResource, variables, the wildcard ? and accounts of AWS are rejected with <Code>MalformedPolicy</Code>, which
      names what was found. A policy has at most 20 KiB. It does not apply to pods, functions and other programs of this
      platform that read the bucket. <Code>PutPublicAccessBlock</Code> keeps a bucket from becoming public even if its
      policy allows it; <Code>GetBucketPolicyStatus</Code> says whether it is.
    </p>
  </DocsSection>
);

const Encryption = () => (
  <DocsSection id="encryption" title="Encryption">
    <p>
      Objects are encrypted if the request asks for it with <Code>x-amz-server-side-encryption: AES256</Code>, or if the
      bucket does so by default: <Code>PutBucketEncryption</Code>, or <Code>encryption: &quot;AES256&quot;</Code> in its
      settings. Each object has a key of its own, which is wrapped under the secret of this installation; who may read
      the object needs to send nothing. Your operator can{" "}
      <DocsLink href="/docs/production#secrets">change that secret</DocsLink> without losing objects. Sizes, ETags,
      checksums and ranges are those of the content.
    </p>
    <p>
      With the three headers <Code>x-amz-server-side-encryption-customer-*</Code> an object is encrypted with your key,
      which is stored nowhere: every read, every part of an upload and every copy needs it, and without it the content
      is lost. Another key is 403. The REST API shows the metadata of such objects. There is no key service:{" "}
      <Code>aws:kms</Code> is rejected. What was stored before stays as it is until it is copied.
    </p>
  </DocsSection>
);

const Deleting = () => (
  <DocsSection id="deleting" title="Deleting a bucket">
    <p>
      An empty bucket is deleted at once, with 204. A bucket that has objects, older versions or delete markers is 409
      with the reason <Code>bucket_not_empty</Code>. With <Code>?force=true</Code> the response is 202: the bucket
      accepts no more objects, everything in it is deleted in the background, and <Code>deletion</Code> shows how far
      that is. There is no way back. The name can be used again when the bucket is gone.
    </p>
  </DocsSection>
);
