/** User-Agents of the browsers in use in 2026, built from each vendor's own scheme. */
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

const DESKTOPS = [
  "Windows NT 10.0; Win64; x64",
  "Macintosh; Intel Mac OS X 10_15_7",
  "X11; Linux x86_64",
  "X11; CrOS x86_64 14541.0.0",
];
const PHONES = [
  "Linux; Android 10; K",
  "Linux; Android 16; Pixel 10 Pro Build/BP2A.250605.031; wv",
  "Linux; Android 15; SM-S938B Build/AP3A.240905.015; wv",
  "Linux; Android 14; 23127PN0CC Build/UKQ1.230804.001; wv",
];
const CHROMIUM = ["144.0.0.0", "145.0.0.0", "146.0.0.0", "147.0.0.0"];
const FIREFOX = ["140.0", "146.0", "147.0", "148.0"];

const chrome = DESKTOPS.flatMap((os) => CHROMIUM.map((v) => `Mozilla/5.0 (${os}) ${WEBKIT} Chrome/${v} Safari/537.36`));
const suffixed = ["Edg/147.0.0.0", "OPR/131.0.0.0", "Vivaldi/7.9.3970.39", "YaBrowser/26.3.0.0", "Whale/4.35.351.16"];
const chromiumKin = suffixed.flatMap((name) =>
  DESKTOPS.slice(0, 3).map((os) => `Mozilla/5.0 (${os}) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36 ${name}`),
);
const firefox = ["Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10.15", "X11; Ubuntu; Linux x86_64"].flatMap(
  (os) => FIREFOX.map((v) => `Mozilla/5.0 (${os}; rv:${v}) Gecko/20100101 Firefox/${v}`),
);
const firefoxMobile = [
  ...FIREFOX.map((v) => `Mozilla/5.0 (Android 15; Mobile; rv:${v}) Gecko/${v} Firefox/${v}`),
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} FxiOS/147.0 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${APPLE} FxiOS/147.0 Mobile/15E148 Safari/604.1`,
];
const safari = ["18.6", "26.0", "26.3"].flatMap((v) => [
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/${v} Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Version/${v} Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${APPLE} Version/${v} Mobile/15E148 Safari/604.1`,
]);
const android = [
  ...CHROMIUM.map((v) => `Mozilla/5.0 (${PHONES[0]}) ${WEBKIT} Chrome/${v} Mobile Safari/537.36`),
  ...["SamsungBrowser/29.0 Chrome/136.0.0.0", "Chrome/147.0.0.0", "Silk/147.1.1 like Chrome/147.0.0.0"].map(
    (name) => `Mozilla/5.0 (${PHONES[0]}) ${WEBKIT} ${name} Safari/537.36`,
  ),
  ...["OPR/94.0.0.0", "EdgA/147.0.0.0", "Brave/1.90", "DuckDuckGo/5", "Ecosia android@147.0.0.0", "Vivaldi/7.9"].map(
    (name) => `Mozilla/5.0 (${PHONES[0]}) ${WEBKIT} Chrome/147.0.0.0 Mobile Safari/537.36 ${name}`,
  ),
  `Mozilla/5.0 (Linux; U; Android 14; en-US; 23127PN0CC) ${WEBKIT} Version/4.0 Chrome/123.0.0.0 UCBrowser/13.9.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 14; en-us; 23127PN0CC) ${WEBKIT} Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.30.1-gn`,
  `Mozilla/5.0 (Linux; Android 12; HarmonyOS; ALN-AL00) ${WEBKIT} Chrome/114.0.5735.196 HuaweiBrowser/15.0.9.300 Mobile Safari/537.36`,
];
const iosKin = [
  "CriOS/147.0.7727.22",
  "EdgiOS/147.0.0.0",
  "OPT/6.3.0",
  "GSA/410.0.1234",
  "DuckDuckGo/7",
  "YaBrowser/26.3.0.250",
].map(
  (name) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Version/18.7 ${name} Mobile/15E148 Safari/604.1`,
);
const inApps = [
  ...[
    "Instagram 420.0.0.41.74 Android",
    "[FB_IAB/FB4A;FBAV/530.0.0.48.75;]",
    "MicroMessenger/8.0.60",
    "Line/15.12.0/IAB",
  ].flatMap((name) =>
    PHONES.slice(1).map(
      (os) => `Mozilla/5.0 (${os}) ${WEBKIT} Version/4.0 Chrome/147.0.7727.49 Mobile Safari/537.36 ${name}`,
    ),
  ),
  ...[
    "[LinkedInApp]/9.31",
    "Snapchat/13.50.0.41",
    "musical_ly_42.1.0 BytedanceWebview/d8a21c6",
    "Instagram 420.0.0.32.81",
  ].map((name) => `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Mobile/22H20 ${name}`),
];
const screens = [
  `Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${WEBKIT} 108.0.5359.1/8.0 TV Safari/537.36`,
  `Mozilla/5.0 (Web0S; Linux/SmartTV) ${WEBKIT} Chrome/120.0.6099.5 Safari/537.36 WebAppManager`,
  `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K UR2) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`,
  "Mozilla/5.0 (PlayStation; PlayStation 5/9.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15",
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36 Edge/44.18363.8131`,
  `Mozilla/5.0 (X11; Linux x86_64; Quest 3) ${WEBKIT} OculusBrowser/40.1.0 Chrome/136.0.7103.177 VR Safari/537.36`,
  "Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
];

export const BROWSERS: readonly string[] = [
  ...chrome,
  ...chromiumKin,
  ...firefox,
  ...firefoxMobile,
  ...safari,
  ...android,
  ...iosKin,
  ...inApps,
  ...screens,
];
