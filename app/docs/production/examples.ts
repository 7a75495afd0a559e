export const CADDY = `svc.example {
  tls {
    protocols tls1.3
  }
  reverse_proxy 127.0.0.1:3000 {
    flush_interval -1
  }
}`;

export const NGINX = `server {
  listen 443 ssl;
  server_name svc.example;
  ssl_certificate /etc/ssl/svc.example.crt;
  ssl_certificate_key /etc/ssl/svc.example.key;
  ssl_protocols TLSv1.3;
  client_max_body_size 5g;
  location / {
    proxy_pass http://127.0.0.1:3000;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_read_timeout 1h;
  }
}`;

export const PROCESSES = `SVC_WEB_PROCESSES=4 REDIS_URL=redis://127.0.0.1:6379 npm start`;

export const EMBEDDINGS = `EMBEDDINGS_URL=http://localhost:11434/v1 EMBEDDINGS_MODEL=nomic-embed-text npm start`;

export const ENGINES = `PUBLIC_URL=https://svc.example
TRUSTED_PROXIES=127.0.0.1
SVC_SECRET=…
DATABASE_URL=postgres://svc:…@postgres.internal:5432/svc
CLICKHOUSE_URL=http://svc:…@clickhouse.internal:8123/svc
REDIS_URL=redis://redis.internal:6379
SMTP_URL=smtp://svc:…@mail.internal:587`;

export const S3_STORE = `S3_ENDPOINT=https://s3.eu-central-1.amazonaws.com
S3_REGION=eu-central-1
S3_BUCKET=acme-svc-objects
S3_ACCESS_KEY_ID=…
S3_SECRET_ACCESS_KEY=…
S3_FORCE_PATH_STYLE=off`;

export const ADMIN = `npm run svc -- admin --help
npm run svc -- admin check
npm run svc -- admin tenants list
npm run svc -- admin admit-tenant ten_…
npm run svc -- admin quota set ten_… requests_per_minute 6000
npm run svc -- admin quota set ten_… stored_bytes 1099511627776
npm run svc -- admin quota set ten_… gpu_share_weight 2
npm run svc -- admin reset-password ada@example.com --link
npm run svc -- admin log-in-code ada@example.com
npm run svc -- admin credit ten_… 250.00 --note "Invoice 7"
npm run svc -- admin advertisers list --review pending
npm run svc -- admin advertisers approve adv_…
npm run svc -- admin claw-back --channel chn_… --from 2026-11-01 --reason "Invalid traffic"
npm run svc -- admin suspend-channel chn_…
npm run svc -- admin gpu-nodes apac/h100
npm run svc -- admin drain-node apac/h100 h100-3 --reason "Replace a fan"
npm run svc -- admin uncordon-node apac/h100 h100-3
npm run svc -- admin sign-up invite
npm run svc -- admin verify-audit --all
npm run svc -- admin rotate-signing-key
npm run svc -- admin rotate-master-key`;

export const BACKUP = `npm run svc -- admin backup /var/backups/svc/2026-11-21
SVC_DATA_DIR=/var/lib/svc-restored npm run svc -- admin restore /var/backups/svc/2026-11-21`;

export const UPGRADE = `npm install
npm run db -- deploy
npm start`;

export const SYSCTL = `kernel.pid_max = 4194304
kernel.threads-max = 524288
kernel.pty.max = 65536
fs.file-max = 9223372036854775807`;

export const JOIN = `npm run svc -- admin join-token
npm run svc -- node join --url https://svc.example --token … --address 10.0.0.6:7400`;
