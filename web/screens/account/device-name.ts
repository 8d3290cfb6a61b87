/** Turns a User-Agent header into a name that its user understands. */

/** The first match counts, because most browsers also claim to be another. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/^filestore/, 'filestore in the terminal'],
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const firstFit = (names: readonly [RegExp, string][], agent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1]

/** `Firefox on Windows`. An unknown agent is called by its first word; without a header it is an unknown device. */
export function deviceName(userAgent: string | null): string {
  const agent = userAgent?.trim() ?? ''
  if (agent === '') return 'Unknown device'
  const browser = firstFit(browsers, agent) ?? agent.split(/[\s/]/, 1)[0] ?? agent
  const system = firstFit(systems, agent)
  return system === undefined ? browser : `${browser} on ${system}`
}

export const isHandheld = (userAgent: string | null): boolean =>
  /\b(iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? '')
