/** Names with invisible characters in the tables of the terminal. */
import { expect, test } from 'vitest'
import { answerPage, describeFile, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

async function show(names: readonly string[]): Promise<string[]> {
  const files = names.map(name => describeFile(name, Buffer.from('')))
  const { terminal } = await startOddServer({
    'GET /api/files': (_request, response) => answerPage(response, { files }),
  })
  const { stdout } = await runCli(terminal, ['ls'])
  const lines = stdout.split('\n')
  const column = lines[0]?.indexOf('NAME')
  return lines.slice(1).map(line => line.slice(column))
}

test('invisible characters are escaped', async () => {
  const names: Record<string, string> = {
    'soft\u00adhyphen': 'soft\\xadhyphen',
    'zero\u200bwidth': 'zero\\u200bwidth',
    'word\u2060joiner': 'word\\u2060joiner',
    '\ufeffmark': '\\ufeffmark',
    'latin\u200djoined': 'latin\\u200djoined',
    'latin\u200cparted': 'latin\\u200cparted',
    'variant\ufe0f': 'variant\\ufe0f',
    'digit 1\ufe0f': 'digit 1\\ufe0f',
    'filler\u3164': 'filler\\u3164',
    'tag\u{e0041}': 'tag\\u{e0041}',
    'flag 🏴\u{e0078}\u{e007f}': 'flag 🏴\\u{e0078}\\u{e007f}',
    'note\ufff9': 'note\\ufff9',
    'smile 😀\u200d': 'smile 😀\\u200d',
  }
  expect(await show(Object.keys(names))).toEqual(Object.values(names))
})

test('invisible characters that spell words or draw emoji stay as they are', async () => {
  const names = [
    'family 👨\u200d👩\u200d👧',
    'heart ❤\ufe0f',
    'rainbow 🏳\ufe0f\u200d🌈',
    'waving 👋🏽',
    'keycap 1\ufe0f\u20e3',
    'England 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'Persian می\u200cخواهم',
    'Hindi क्\u200dष',
    'Sinhala ශ්\u200dරී',
    'Malayalam അവന്\u200d.txt',
    'Japanese 葛\u{e0100}',
    'Arabic number \u0600\u0661',
  ]
  expect(await show(names)).toEqual(names)
})
