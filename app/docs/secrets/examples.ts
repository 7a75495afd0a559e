export const STORE = `curl -s -X PUT "$SVC_URL/v1/secrets/SMTP_PASSWORD" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -d '{"value":"correct horse battery staple"}'`;

export const REVEAL = `curl -s "$SVC_URL/v1/secrets/SMTP_PASSWORD/value" -H "Authorization: Bearer $SVC_KEY"`;

export const REFERENCE = `{ "secret": "SMTP_PASSWORD" }`;

export const ROTATE = "npm run svc -- admin rotate-master-key";
