/** The name of a session's device in plain words. */
import { expect, test } from 'vitest'
import { deviceName, isHandheld } from '../../web/screens/account/device-name.ts'

const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Windows', false],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36`, 'Chrome on macOS', false],
  [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 Edg/130.0.0.0`, 'Edge on Windows', false],
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/115.0`, 'Opera on Linux', false],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome on ChromeOS', false],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) ${apple} Version/17.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
    true,
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) ${apple} CriOS/130.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPad',
    true,
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S901B) ${chrome} SamsungBrowser/26.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
    true,
  ],
  ['filestore', 'filestore in the terminal', false],
  ['curl/8.5.0', 'curl', false],
  ['', 'Unknown device', false],
  [null, 'Unknown device', false],
])('the user agent %s is called %s', (agent, name, handheld) => {
  expect(deviceName(agent)).toBe(name)
  expect(isHandheld(agent)).toBe(handheld)
})
